import type { Period } from '@sendlap/contract/leaderboards.ts';
import { addDays, type DateRange, isoWeekKey, isoWeekRange, seasonKey, seasonRange } from '@sendlap/domain/dates.ts';

/** A period that comes again, so that there are past ones to look at. */
export type Recurring = Exclude<Period, 'all'>;

/** Nobody trained with the app before: the steps back end there. Keys sort by time. */
const FIRST_KEY = '2020';

/** The week ('2026-W47') or season ('2026-Q4') that a local date lies in. Throws RangeError for a text that is no date. */
export function keyOf(period: Recurring, date: string): string {
  const week = isoWeekKey(date);
  return period === 'week' ? week : seasonKey(week);
}

/** Its first Monday and last Sunday. Throws RangeError for a key that is none, or of the other period. */
export function rangeOf(period: Recurring, key: string): DateRange {
  return period === 'week' ? isoWeekRange(key) : seasonRange(key);
}

/** The key of the period before (-1) or after (1). Throws as `rangeOf`. */
export function stepKey(period: Recurring, key: string, by: -1 | 1): string {
  const { starts_on, ends_on } = rangeOf(period, key);
  return keyOf(period, addDays(by === 1 ? ends_on : starts_on, by));
}

/** Which of them a key is, seen from the local date `today`; null: one that only its dates tell. */
export function nearnessOf(period: Recurring, key: string, today: string): 'this' | 'last' | null {
  const present = keyOf(period, today);
  if (key === present) return 'this';
  return key === stepKey(period, present, -1) ? 'last' : null;
}

/** Whether the server has boards of this key: the period exists and has begun somewhere on earth. */
export function isBoardKey(period: Recurring, key: string, today: string): boolean {
  try {
    rangeOf(period, key);
    return key >= FIRST_KEY && key <= keyOf(period, addDays(today, 1));
  } catch {
    return false;
  }
}
