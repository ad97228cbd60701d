const STORAGE_KEY = 'server-clock';
/** An older measurement gives way to any new one; a younger one only to a better. */
const KEEP_BEST_FOR_MS = 300_000;
/** The contract takes at most a year. */
const MAX_OFFSET_MS = 31_536_000_000;

export interface ClockReading {
  /** Server time minus this device's time, whole ms. */
  offset_ms: number;
  /** How long ago it was measured; null: never. */
  age_ms: number | null;
}

interface Measurement {
  offset_ms: number;
  round_trip_ms: number;
  measured_at: number;
}

export interface ServerClockDeps {
  /** Wall clock of the device, ms epoch. */
  now: () => number;
  /** ms of a clock that never jumps, within this page's life. */
  monotonicNow: () => number;
  /** Keeps the last offset for a start without network; undefined where there is no storage. */
  storage: Pick<Storage, 'getItem' | 'setItem'> | undefined;
}

export interface ServerClock {
  /** Takes the `x-server-time` header (ms epoch) of a reply that took `round_trip_ms`. Anything else is ignored. */
  observe(header: string | null, round_trip_ms: number): void;
  /** Server time as well as this device knows it, ms epoch. */
  correctedNow(): number;
  clockReading(): ClockReading;
}

/** Knows how far this device's clock is from the server's: header plus half the round trip (Cristian's algorithm). */
export function createServerClock({ now, monotonicNow, storage }: ServerClockDeps): ServerClock {
  let measurement: Measurement | null = null;
  const kept = readKept(storage);

  function clockReading(): ClockReading {
    if (measurement) {
      return {
        offset_ms: measurement.offset_ms,
        age_ms: Math.max(0, Math.round(monotonicNow() - measurement.measured_at)),
      };
    }
    if (!kept) return { offset_ms: 0, age_ms: null };
    return { offset_ms: kept.offset_ms, age_ms: Math.max(0, now() + kept.offset_ms - kept.measured_at_ms) };
  }

  return {
    observe(header, round_trip_ms) {
      if (header === null || !/^\d{1,16}$/.test(header)) return;
      const offset_ms = Math.round(Number(header) + round_trip_ms / 2 - now());
      if (Math.abs(offset_ms) > MAX_OFFSET_MS) return;
      const measured_at = monotonicNow();
      const young = measurement && measured_at - measurement.measured_at < KEEP_BEST_FOR_MS;
      if (measurement && young && round_trip_ms > measurement.round_trip_ms) return;
      measurement = { offset_ms, round_trip_ms, measured_at };
      keep(storage, { offset_ms, measured_at_ms: now() + offset_ms });
    },
    correctedNow: () => now() + clockReading().offset_ms,
    clockReading,
  };
}

/** `measured_at_ms` is server time, so that it survives a correction of the device's clock as well as it can. */
interface Kept {
  offset_ms: number;
  measured_at_ms: number;
}

function readKept(storage: ServerClockDeps['storage']): Kept | null {
  try {
    const kept = JSON.parse(storage?.getItem(STORAGE_KEY) ?? 'null') as Partial<Kept> | null;
    if (!Number.isInteger(kept?.offset_ms) || !Number.isInteger(kept?.measured_at_ms)) return null;
    return kept as Kept;
  } catch {
    return null;
  }
}

function keep(storage: ServerClockDeps['storage'], kept: Kept): void {
  try {
    storage?.setItem(STORAGE_KEY, JSON.stringify(kept));
  } catch {
    // Full or forbidden: the offset then holds for this page's life only.
  }
}
