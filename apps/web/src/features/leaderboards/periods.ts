import type { Period } from '@sendlap/contract/leaderboards.ts';
import {
  addDays,
  type DateRange,
  isoWeekAt,
  isoWeekKey,
  isoWeekRange,
  isoWeekWorldwide,
  seasonKey,
  seasonRange,
} from '@sendlap/domain/dates.ts';

/** A period that recurs, so that it has past boards. */
export type RecurringPeriod = Exclude<Period, 'all'>;

/** No boards exist before this year, so users cannot step back further. Keys sort chronologically as strings. */
const FIRST_KEY = '2020';
/** UTC offsets are multiples of 15 minutes, so midnight in every time zone is on a quarter of an hour. */
const QUARTER_HOUR_MS = 15 * 60_000;

/** Returns the week ('2026-W47') or season ('2026-Q4') of a local date. Throws RangeError if `date` is not a date. */
export function periodKey(period: RecurringPeriod, date: string): string {
  const week = isoWeekKey(date);
  return period === 'week' ? week : seasonKey(week);
}

/** Returns the period's first Monday and last Sunday. Throws RangeError if the key is invalid or of the other kind. */
export function periodRange(period: RecurringPeriod, key: string): DateRange {
  return period === 'week' ? isoWeekRange(key) : seasonRange(key);
}

/** Returns the key of the previous (-1) or next (1) period. Throws as `periodRange` does. */
export function adjacentPeriodKey(period: RecurringPeriod, key: string, direction: -1 | 1): string {
  const { starts_on, ends_on } = periodRange(period, key);
  return periodKey(period, addDays(direction === 1 ? ends_on : starts_on, direction));
}

/** The current period of the same kind as the server reported it; `is_copy`: from a cached copy. */
interface ReportedPeriod {
  key: string;
  is_copy: boolean;
}

/**
 * Returns the key of the current week or season at a moment (ms epoch). Around a Monday the world's time zones are in
 * two different weeks: then the server's answer decides, or, without a fresh one, this device's time zone.
 */
export function currentPeriodKey(
  period: RecurringPeriod,
  now_ms: number,
  time_zone: string,
  reported: ReportedPeriod | null,
): string {
  const worldwide_week = isoWeekWorldwide(now_ms);
  const week = worldwide_week ?? isoWeekAt(now_ms, time_zone);
  const local_key = period === 'week' ? week : seasonKey(week);
  if (worldwide_week !== undefined || reported === null) return local_key;
  return reported.is_copy && reported.key < local_key ? local_key : reported.key;
}

/** Returns a string that changes whenever a new week may have begun in some time zone (`now_ms`: ms epoch). */
export function weekMarker(now_ms: number): string {
  return isoWeekWorldwide(now_ms) ?? `quarter ${Math.floor(now_ms / QUARTER_HOUR_MS)}`;
}

/** Whether a key is the current or the last period; null: an older one, which is named by its dates. */
export function recencyOf(period: RecurringPeriod, key: string, current_key: string): 'this' | 'last' | null {
  if (key === current_key) return 'this';
  return key === adjacentPeriodKey(period, current_key, -1) ? 'last' : null;
}

/** Whether the server has boards for this key: the period exists and has begun in some time zone. */
export function isBoardKey(period: RecurringPeriod, key: string, today: string): boolean {
  try {
    periodRange(period, key);
    return key >= FIRST_KEY && key <= periodKey(period, addDays(today, 1));
  } catch {
    return false;
  }
}

/** 45 and '2026' for '2026-W45', 3 and '2026' for '2026-Q3'. */
export function titleParts(key: string): { number: number; year: string } {
  return { number: Number(key.slice('2026-W'.length)), year: key.slice(0, 4) };
}
