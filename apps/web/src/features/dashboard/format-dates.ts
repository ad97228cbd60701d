import { addDays } from '@sendlap/domain/dates.ts';
import { noonOf } from '#web/shared/time/format-date.ts';

const DAYS_TO_SUNDAY = 6;

const dayFormat = (locale: string) =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dateFormat = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** '16 Nov' */
export function formatDay(date: string, locale: string): string {
  return dayFormat(locale).format(noonOf(date));
}

/** Monday to Sunday as '16–22 Nov'. */
export function formatWeek(starts_on: string, locale: string): string {
  return dayFormat(locale).formatRange(noonOf(starts_on), noonOf(addDays(starts_on, DAYS_TO_SUNDAY)));
}

/** Monday to Sunday as '16–22 Nov 2026'. */
export function formatWeekWithYear(starts_on: string, locale: string): string {
  return dateFormat(locale).formatRange(noonOf(starts_on), noonOf(addDays(starts_on, DAYS_TO_SUNDAY)));
}
