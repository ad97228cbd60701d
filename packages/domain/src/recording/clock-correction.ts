/** A device's clocks at one moment. */
export interface ClockReading {
  /** ms epoch by the device's wall clock, which its user can set. */
  wall_ms: number;
  /** Runs evenly, but may stop while the device sleeps. Each page has its own. */
  monotonic_ms: number;
  page_id: string;
}

/** The clocks at a reply of the server. */
export interface ClockMeasurement extends ClockReading {
  /** Server time minus device time, ms. */
  offset_ms: number;
}

/** What a device notes with a time that only the next measurement can prove. */
export interface ClockNote {
  moment: ClockReading;
  /** The last measurement before it; null: never measured. */
  before: ClockMeasurement | null;
}

/** The server's time at a moment: known, or only between which times, with those that a single move explains. */
export type TimeEstimate =
  | { kind: 'known'; at_ms: number }
  | { kind: 'unknown'; earliest_ms: number; latest_ms: number; candidates_ms: number[] };

/** Clocks drift, and a measurement is wrong by half its round trip: a smaller move does not count. */
export const MIN_CLOCK_MOVE_MS = 60_000;
/** The two clocks of a device differ by less within a page; a larger difference is a move of the wall clock, or sleep. */
const MAX_DRIFT_MS = 1_000;

/**
 * Returns the server's time at a moment between two measurements: `before` may be missing, `after` is the next contact.
 * Offsets that agree mean that the wall clock was right all along, whatever slept. If they differ, it was moved once:
 * before the moment or after it. The monotonic clock proves which, or the measurements rule one of them out.
 */
export function estimateTime(
  moment: ClockReading,
  before: ClockMeasurement | null,
  after: ClockMeasurement,
): TimeEstimate {
  const earliest_ms = before ? serverTime(before) + elapsed(before, moment) : Number.NEGATIVE_INFINITY;
  const latest_ms = serverTime(after) - elapsed(moment, after);
  const isPossible = (at_ms: number) =>
    at_ms >= earliest_ms - MIN_CLOCK_MOVE_MS && at_ms <= latest_ms + MIN_CLOCK_MOVE_MS;
  const moved_before = moment.wall_ms + after.offset_ms;
  const moved_after = moment.wall_ms + (before ?? after).offset_ms;
  const move_ms = before ? before.offset_ms - after.offset_ms : 0;
  const candidates_ms = Math.abs(move_ms) < MIN_CLOCK_MOVE_MS ? [moved_after] : [moved_after, moved_before];
  const proven = provenTime({ moment, before, after, move_ms, moved_before, moved_after });
  const possible = (proven === null ? candidates_ms : [proven]).filter(isPossible);
  const [only] = possible;
  if (only !== undefined && possible.length === 1) return { kind: 'known', at_ms: only };
  return { kind: 'unknown', earliest_ms, latest_ms, candidates_ms: possible.sort((a, b) => a - b) };
}

/** Returns the possible time that is nearest to `noted_ms`, ms epoch. */
export function nearestTime({ earliest_ms, latest_ms }: TimeEstimate & { kind: 'unknown' }, noted_ms: number): number {
  return Math.round(Math.max(earliest_ms, Math.min(latest_ms, noted_ms)));
}

function serverTime({ wall_ms, offset_ms }: ClockMeasurement): number {
  return wall_ms + offset_ms;
}

/** Returns at least how long it took, ms. */
function elapsed(from: ClockReading, to: ClockReading): number {
  return from.page_id === to.page_id ? Math.max(0, to.monotonic_ms - from.monotonic_ms) : 0;
}

interface Proof {
  moment: ClockReading;
  before: ClockMeasurement | null;
  after: ClockMeasurement;
  /** How far the wall clock was moved between the measurements. */
  move_ms: number;
  moved_before: number;
  moved_after: number;
}

/** Within a page, the wall clock moved against the monotonic one by just that much, or not at all. */
function provenTime({ moment, before, after, move_ms, moved_before, moved_after }: Proof): number | null {
  const until_moment = before && moveBetween(before, moment);
  const since_moment = moveBetween(moment, after);
  if (isNear(until_moment, 0) || isNear(since_moment, move_ms)) return moved_after;
  return isNear(since_moment, 0) || isNear(until_moment, move_ms) ? moved_before : null;
}

/** Returns how far the wall clock went ahead of the monotonic one, ms; null across pages. */
function moveBetween(from: ClockReading, to: ClockReading): number | null {
  if (from.page_id !== to.page_id) return null;
  return to.wall_ms - from.wall_ms - (to.monotonic_ms - from.monotonic_ms);
}

function isNear(move_ms: number | null, expected_ms: number): boolean {
  return move_ms !== null && Math.abs(move_ms - expected_ms) < MAX_DRIFT_MS;
}
