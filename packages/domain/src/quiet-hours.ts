import { cacheFormatters } from './dates.ts';
import { MINUTE_MS } from './durations.ts';

const MINUTES_AN_HOUR = 60;
const MINUTES_A_DAY = 1_440;

/** Minutes since midnight, 0 to 1439, in an IANA zone. `from` is inclusive, `until` exclusive. */
export interface QuietHours {
  from: number;
  until: number;
  time_zone: string;
}

const getFormatter = cacheFormatters({ hourCycle: 'h23', hour: '2-digit', minute: '2-digit' });

/**
 * Returns the wall clock time of a moment (ms epoch), in minutes since midnight. Throws RangeError for an unknown zone.
 */
export function minuteOfDay(epoch_ms: number, time_zone: string): number {
  return parseMinuteOfDay(getFormatter(time_zone).format(epoch_ms));
}

/**
 * Returns whether a moment (ms epoch) is quiet by the wall clock: across midnight if `until` is earlier, never if both
 * are equal. Throws RangeError for an unknown zone.
 */
export function isQuiet({ from, until, time_zone }: QuietHours, epoch_ms: number): boolean {
  if (from === until) return false;
  const minute = minuteOfDay(epoch_ms, time_zone);
  return from < until ? minute >= from && minute < until : minute >= from || minute < until;
}

/**
 * Returns the ms from a moment (ms epoch) until the wall clock next shows `from`; 0 while it is quiet. If a clock
 * change skips that time, the result is up to an hour too small. Throws RangeError for an unknown zone.
 */
export function msUntilQuiet(hours: QuietHours, epoch_ms: number): number {
  if (isQuiet(hours, epoch_ms)) return 0;
  const { from, time_zone } = hours;
  const minutes = (from - minuteOfDay(epoch_ms, time_zone) + MINUTES_A_DAY) % MINUTES_A_DAY;
  const wait_ms = minutes * MINUTE_MS - (epoch_ms % MINUTE_MS);
  // Differs from `from` if the clocks change in between.
  const wall_minute = minuteOfDay(epoch_ms + wait_ms, time_zone);
  const half_a_day = MINUTES_A_DAY / 2;
  const skew_minutes = ((wall_minute - from + MINUTES_A_DAY + half_a_day) % MINUTES_A_DAY) - half_a_day;
  return Math.max(0, wait_ms - skew_minutes * MINUTE_MS);
}

/** Returns '22:30' as minutes since midnight. */
export function parseMinuteOfDay(time: string): number {
  const [hour, minute] = time.split(':');
  return Number(hour) * MINUTES_AN_HOUR + Number(minute);
}

/** Returns minutes since midnight as '22:30'. */
export function formatMinuteOfDay(minute: number): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${twoDigits(Math.floor(minute / MINUTES_AN_HOUR))}:${twoDigits(minute % MINUTES_AN_HOUR)}`;
}
