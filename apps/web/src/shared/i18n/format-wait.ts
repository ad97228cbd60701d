import { relativeTimeFormat } from './formats.ts';

const MINUTE_S = 60;
const HOUR_S = 3_600;
/** From here on the day is more useful than the hours. */
const DAY_FROM_S = 12 * HOUR_S;

/**
 * Returns when the user may try again, as text that follows "try again": 'in 5 minutes', 'in 3 hours', 'tomorrow', by
 * this device's days; null if that is in a moment. `wait_s` in seconds, `now_ms` as ms epoch.
 */
export function formatWait(wait_s: number, now_ms: number, locale: string): string | null {
  if (wait_s <= MINUTE_S) return null;
  const format = relativeTimeFormat(locale, { numeric: 'auto' });
  const days = daysBetween(now_ms, now_ms + wait_s * 1000);
  if (wait_s >= DAY_FROM_S && days > 0) return format.format(days, 'day');
  if (wait_s > HOUR_S) return format.format(Math.ceil(wait_s / HOUR_S), 'hour');
  return format.format(Math.ceil(wait_s / MINUTE_S), 'minute');
}

/** Returns the number of midnights between two moments, ms epoch. */
function daysBetween(from_ms: number, until_ms: number): number {
  const [from, until] = [new Date(from_ms).setHours(0, 0, 0, 0), new Date(until_ms).setHours(0, 0, 0, 0)];
  // Days with a clock change are an hour longer or shorter.
  return Math.round((until - from) / (24 * HOUR_S * 1000));
}
