import type { Period } from '@sendlap/contract/leaderboards.ts';
import {
  addDays,
  type DateRange,
  isoWeekAt,
  isoWeekEverywhere,
  isoWeekKey,
  isoWeekRange,
  seasonKey,
  seasonRange,
} from '@sendlap/domain/dates.ts';

/** A period that comes again, so that there are past ones to look at. */
export type Recurring = Exclude<Period, 'all'>;

/** Nobody trained with the app before: the steps back end there. Keys sort by time. */
const FIRST_KEY = '2020';
/** Every zone's midnight is at a full quarter of an hour. */
const QUARTER_MS = 15 * 60_000;

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

/** The period that the server called the present one, of the same kind; `is_copy`: some time ago. */
interface ToldPeriod {
  key: string;
  is_copy: boolean;
}

/**
 * The key of the present week or season at a moment (ms epoch). Around a Monday the zones of the earth are in two weeks:
 * then it is the one that the server told, or without a fresh answer the one of this device's zone.
 */
export function presentKey(period: Recurring, now_ms: number, time_zone: string, told: ToldPeriod | null): string {
  const everywhere = isoWeekEverywhere(now_ms);
  const week = everywhere ?? isoWeekAt(now_ms, time_zone);
  const here = period === 'week' ? week : seasonKey(week);
  if (everywhere !== undefined || told === null) return here;
  return told.is_copy && told.key < here ? here : told.key;
}

/** A text that is another one (ms epoch) as soon as another week may have begun for somebody. */
export function weekTurn(now_ms: number): string {
  return isoWeekEverywhere(now_ms) ?? `quarter ${Math.floor(now_ms / QUARTER_MS)}`;
}

/** Which of them a key is, seen from the present one; null: one that only its dates tell. */
export function nearnessOf(period: Recurring, key: string, present: string): 'this' | 'last' | null {
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

/** 45 and '2026' of '2026-W45', 3 and '2026' of '2026-Q3'. */
export function titleOf(key: string): { number: number; year: string } {
  return { number: Number(key.slice('2026-W'.length)), year: key.slice(0, 4) };
}
