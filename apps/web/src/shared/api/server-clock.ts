const STORAGE_KEY = 'server-clock';
/** An older measurement gives way to any new one; a younger one only to a better. */
const KEEP_BEST_FOR_MS = 300_000;
/** The contract takes at most a year, of an offset and of a jump. */
const MAX_OFFSET_MS = 31_536_000_000;
/** Two clocks of one device drift less than this within a page's life; more is a clock that was set. */
const DRIFT_MS = 1_000;

export interface ClockReading {
  /** Server time minus this device's time, whole ms. */
  offset_ms: number;
  /** How long ago it was measured; null: never. */
  age_ms: number | null;
  /**
   * How far the wall clock was moved against the monotonic one, whole ms, since the offset was measured (before that:
   * since the page was opened). A later measurement knows of the move and makes it harmless.
   */
  jump_ms: number;
}

interface Measurement {
  offset_ms: number;
  round_trip_ms: number;
  measured_at: number;
  /** Wall clock minus monotonic clock, then. */
  gap_ms: number;
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
  /**
   * Call when the page comes into sight again. Many devices stop the monotonic clock while they sleep, which looks like
   * a wall clock that was put forward: what moved forward out of sight is forgiven, what moved back never is.
   */
  wake(): void;
  /** Call when the page goes out of sight: what had moved by then was no sleep. */
  rest(): void;
}

/** Knows how far this device's clock is from the server's: header plus half the round trip (Cristian's algorithm). */
export function createServerClock({ now, monotonicNow, storage }: ServerClockDeps): ServerClock {
  let measurement: Measurement | null = null;
  const kept = readKept(storage);
  const gapNow = () => now() - monotonicNow();
  let seen_gap_ms = gapNow();
  let moved_ms = 0;

  function readJump(): number {
    const jump_ms = Math.round(moved_ms + gapNow() - seen_gap_ms);
    return Math.max(-MAX_OFFSET_MS, Math.min(MAX_OFFSET_MS, jump_ms));
  }

  function clockReading(): ClockReading {
    const jump_ms = readJump();
    if (measurement) {
      const age_ms = Math.max(0, Math.round(monotonicNow() - measurement.measured_at));
      return { offset_ms: measurement.offset_ms, age_ms, jump_ms };
    }
    if (!kept) return { offset_ms: 0, age_ms: null, jump_ms };
    const age_ms = Math.max(0, now() + kept.offset_ms - kept.measured_at_ms);
    return { offset_ms: kept.offset_ms, age_ms, jump_ms };
  }

  function notePassage(moved: number): void {
    moved_ms += moved;
    seen_gap_ms = gapNow();
  }

  return {
    observe(header, round_trip_ms) {
      if (header === null || !/^\d{1,16}$/.test(header)) return;
      const offset_ms = Math.round(Number(header) + round_trip_ms / 2 - now());
      if (Math.abs(offset_ms) > MAX_OFFSET_MS) return;
      const measured_at = monotonicNow();
      const gap_ms = gapNow();
      if (measurement && round_trip_ms > measurement.round_trip_ms) {
        const young = measured_at - measurement.measured_at < KEEP_BEST_FOR_MS;
        // Whatever moved the wall clock meanwhile, a sleep included: the old offset may be wrong by as much.
        const steady = Math.abs(gap_ms - measurement.gap_ms) < DRIFT_MS;
        // Each is right within half its round trip. Two that can't both be right: the server's clock was set.
        const doubt_ms = (round_trip_ms + measurement.round_trip_ms) / 2;
        if (young && steady && Math.abs(offset_ms - measurement.offset_ms) < doubt_ms + DRIFT_MS) return;
      }
      measurement = { offset_ms, round_trip_ms, measured_at, gap_ms };
      moved_ms = 0;
      seen_gap_ms = gap_ms;
      keep(storage, { offset_ms, measured_at_ms: now() + offset_ms });
    },
    correctedNow: () => now() + clockReading().offset_ms,
    clockReading,
    wake: () => notePassage(Math.min(0, gapNow() - seen_gap_ms)),
    rest: () => notePassage(gapNow() - seen_gap_ms),
  };
}

/** Tells the clock when the page goes out of sight and comes back. */
export function watchSight({ wake, rest }: Pick<ServerClock, 'wake' | 'rest'>, page: Document): void {
  page.addEventListener('visibilitychange', () => (page.visibilityState === 'visible' ? wake : rest)());
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
