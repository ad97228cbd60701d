import type { ClockMeasurement, ClockNote } from '@sendlap/domain/recording/clock-correction.ts';

const STORAGE_KEY = 'server-clock';
/** Any new measurement replaces one older than this; only a better one replaces a younger one. */
const BEST_MEASUREMENT_MAX_AGE_MS = 300_000;
/** The contract accepts an offset and a jump of at most a year. */
const MAX_OFFSET_MS = 31_536_000_000;
/** A device's two clocks drift less than this within a page life; more means that the wall clock was set. */
const MAX_DRIFT_MS = 1_000;

export interface ClockReading {
  /** Server time minus this device's time, whole ms. */
  offset_ms: number;
  /** Age of the measurement; null: never measured. */
  age_ms: number | null;
  /**
   * How far the wall clock was moved against the monotonic one, whole ms, since the measurement in use (without one, or
   * with one of an earlier page life: since the page was opened). A measurement that replaces it includes the move. Omits
   * what `onPageVisible` takes for sleep.
   */
  jump_ms: number;
}

interface Measurement {
  offset_ms: number;
  round_trip_ms: number;
  measured_at: number;
  /** Wall clock minus monotonic clock at the measurement. */
  gap_ms: number;
}

export interface ServerClockDeps {
  /** Wall clock of the device, ms epoch. */
  now: () => number;
  /** Milliseconds of a monotonic clock within this page life. */
  monotonicNow: () => number;
  /** Keeps the last offset for a start without network. Never throws, see `deviceStorage`. Undefined in a worker. */
  storage: Pick<Storage, 'getItem' | 'setItem'> | undefined;
  /**
   * Keeps it too, and answers a moment later: a killed browser may lose the last half minute of `storage`, and a time that
   * is saved next would have no measurement before it. Omitted in a worker.
   */
  database?: { load(): Promise<string | null>; save(text: string): Promise<void> };
}

export interface ServerClock {
  /** Reads the `x-server-time` header (ms epoch) of a reply that took `round_trip_ms`. Ignores any other text. */
  observe(header: string | null, round_trip_ms: number): void;
  /** Best estimate of the server's time, ms epoch. */
  correctedNow(): number;
  clockReading(): ClockReading;
  /** The measurement of this page life; null without one, or if the wall clock has moved since, or the device slept. */
  measurement(): ClockMeasurement | null;
  /** Returns what the next contact needs to correct a time of now; null: the measurement proves it. */
  clockNote(): ClockNote | null;
  /**
   * Call when the page becomes visible. Many devices stop the monotonic clock during sleep, which looks like a wall
   * clock that was set forward: a forward jump while hidden is ignored, a backward jump never is.
   */
  onPageVisible(): void;
  /** Call when the page becomes hidden: jumps until then were not caused by sleep. */
  onPageHidden(): void;
}

/**
 * Measures the offset between this device's clock and the server's: header plus half the round trip (Cristian's
 * algorithm).
 */
export function createServerClock({ now, monotonicNow, storage, database }: ServerClockDeps): ServerClock {
  let measurement: Measurement | null = null;
  const gapNow = () => now() - monotonicNow();
  let seen_gap_ms = gapNow();
  let moved_ms = 0;
  const page_id = crypto.randomUUID();
  const stored = createStoredOffset({ storage, database }, () => {
    // A newer measurement includes the moves until then.
    if (!measurement) recordWallClockMove(-moved_ms);
  });

  function readJump(): number {
    const jump_ms = Math.round(moved_ms + gapNow() - seen_gap_ms);
    return Math.max(-MAX_OFFSET_MS, Math.min(MAX_OFFSET_MS, jump_ms));
  }

  function clockReading(): ClockReading {
    const kept = measurement ? null : stored.read();
    const jump_ms = readJump();
    if (measurement) {
      const age_ms = Math.max(0, Math.round(monotonicNow() - measurement.measured_at));
      return { offset_ms: measurement.offset_ms, age_ms, jump_ms };
    }
    if (!kept) return { offset_ms: 0, age_ms: null, jump_ms };
    const age_ms = Math.max(0, now() + kept.offset_ms - kept.measured_at_ms);
    return { offset_ms: kept.offset_ms, age_ms, jump_ms };
  }

  function latestMeasurement(): ClockMeasurement | null {
    if (measurement) {
      const { offset_ms, measured_at: monotonic_ms, gap_ms } = measurement;
      return { offset_ms, wall_ms: gap_ms + monotonic_ms, monotonic_ms, page_id };
    }
    // Of an earlier page life, or another tab: their monotonic clocks are unknown here.
    const kept = stored.read();
    if (!kept) return null;
    const { offset_ms, measured_at_ms } = kept;
    return { offset_ms, wall_ms: measured_at_ms - offset_ms, monotonic_ms: 0, page_id: '' };
  }

  const isSteady = () => measurement !== null && Math.abs(gapNow() - measurement.gap_ms) < MAX_DRIFT_MS;

  function recordWallClockMove(move_ms: number): void {
    moved_ms += move_ms;
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
        const is_recent = measured_at - measurement.measured_at < BEST_MEASUREMENT_MAX_AGE_MS;
        // If anything moved the wall clock since, even a sleep, the old offset may be wrong by as much.
        const is_steady = Math.abs(gap_ms - measurement.gap_ms) < MAX_DRIFT_MS;
        // Each measurement is right within half its round trip. If two contradict each other, the server's clock was
        // set.
        const tolerance_ms = (round_trip_ms + measurement.round_trip_ms) / 2;
        if (is_recent && is_steady && Math.abs(offset_ms - measurement.offset_ms) < tolerance_ms + MAX_DRIFT_MS) return;
      }
      measurement = { offset_ms, round_trip_ms, measured_at, gap_ms };
      moved_ms = 0;
      seen_gap_ms = gap_ms;
      storeOffset({ storage, database }, { offset_ms, measured_at_ms: now() + offset_ms });
    },
    correctedNow: () => now() + clockReading().offset_ms,
    clockReading,
    measurement: () => (isSteady() ? latestMeasurement() : null),
    clockNote() {
      if (isSteady()) return null;
      return { moment: { wall_ms: now(), monotonic_ms: monotonicNow(), page_id }, before: latestMeasurement() };
    },
    onPageVisible: () => recordWallClockMove(Math.min(0, gapNow() - seen_gap_ms)),
    onPageHidden: () => recordWallClockMove(gapNow() - seen_gap_ms),
  };
}

/** Tells the clock when the page becomes hidden or visible, and when another tab has stored a measurement. */
export function watchPage(
  { onPageVisible, onPageHidden, clockReading }: ServerClock,
  page: Pick<Window, 'addEventListener' | 'document'>,
): void {
  page.document.addEventListener('visibilitychange', () =>
    (page.document.visibilityState === 'visible' ? onPageVisible : onPageHidden)(),
  );
  // Read at once: found after a later move, it would count as including that move.
  page.addEventListener('storage', clockReading);
}

/** `measured_at_ms` is server time, so that it survives a correction of the device's clock as far as possible. */
interface StoredOffset {
  offset_ms: number;
  measured_at_ms: number;
}

/**
 * The newest offset that this device keeps: of an earlier page life, or of another tab. Calls `onNewer` when it finds
 * one.
 */
function createStoredOffset({ storage, database }: Pick<ServerClockDeps, 'storage' | 'database'>, onNewer: () => void) {
  let newest: StoredOffset | null = null;

  function adopt(found: StoredOffset | null): void {
    if (!found || found.measured_at_ms <= (newest?.measured_at_ms ?? 0)) return;
    newest = found;
    onNewer();
  }

  function read(): StoredOffset | null {
    adopt(parseOffset(storage?.getItem(STORAGE_KEY) ?? null));
    return newest;
  }

  read();
  void database?.load().then(
    (text) => adopt(parseOffset(text)),
    () => {},
  );
  return { read };
}

function parseOffset(text: string | null): StoredOffset | null {
  try {
    const stored = JSON.parse(text ?? 'null') as Partial<StoredOffset> | null;
    if (!Number.isInteger(stored?.offset_ms) || !Number.isInteger(stored?.measured_at_ms)) return null;
    return stored as StoredOffset;
  } catch {
    return null;
  }
}

function storeOffset({ storage, database }: Pick<ServerClockDeps, 'storage' | 'database'>, stored: StoredOffset): void {
  const text = JSON.stringify(stored);
  storage?.setItem(STORAGE_KEY, text);
  database?.save(text).catch(() => {});
}
