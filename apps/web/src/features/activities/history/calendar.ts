import { addDays } from '@sendlap/domain/dates.ts';
import { DAYS_A_WEEK } from '@sendlap/domain/durations.ts';

const FIRST_DAY = '-01';

/** Returns the month 'YYYY-MM' of a date; `addMonths` returns the month that many months later. */
export function monthOf(date: string): string {
  return date.slice(0, 7);
}

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const counted = year * 12 + (number - 1) + months;
  return `${String(Math.floor(counted / 12)).padStart(4, '0')}-${String((counted % 12) + 1).padStart(2, '0')}`;
}

/** Returns the first and last date of a month. */
export function datesOfMonth(month: string): { from: string; to: string } {
  return { from: `${month}${FIRST_DAY}`, to: addDays(`${addMonths(month, 1)}${FIRST_DAY}`, -1) };
}

export function isMonth(text: string | null): text is string {
  return text !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** A Monday. */
const A_MONDAY = '2026-11-16';

/** Returns a week of dates that begins on this weekday, for the names of the weekdays. */
export function anyWeek(first_weekday: number): string[] {
  return Array.from({ length: DAYS_A_WEEK }, (_, index) => addDays(A_MONDAY, first_weekday - 1 + index));
}

/** Returns the weeks of a month as rows of dates; null for days of the adjacent months. */
export function weeksOfMonth(month: string, first_weekday = 1): (string | null)[][] {
  const { from, to } = datesOfMonth(month);
  // Date.getUTCDay() counts from Sunday = 0.
  const leading_days = (new Date(`${from}T00:00:00Z`).getUTCDay() + DAYS_A_WEEK - first_weekday) % DAYS_A_WEEK;
  const weeks: (string | null)[][] = [];
  for (let day = addDays(from, -leading_days); day <= to; day = addDays(day, DAYS_A_WEEK)) {
    const dates = Array.from({ length: DAYS_A_WEEK }, (_, index) => addDays(day, index));
    weeks.push(dates.map((date) => (date >= from && date <= to ? date : null)));
  }
  return weeks;
}

const DAY_OFFSETS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  ArrowUp: -DAYS_A_WEEK,
  ArrowDown: DAYS_A_WEEK,
};

/** Returns the date that a key leads to from `date`, within its month; null if the calendar does not handle the key. */
export function dateForKey(date: string, key: string): string | null {
  const { from, to } = datesOfMonth(monthOf(date));
  if (key === 'Home') return from;
  if (key === 'End') return to;
  const offset = DAY_OFFSETS[key];
  if (offset === undefined) return null;
  const target = addDays(date, offset);
  return target < from || target > to ? date : target;
}
