import { addDays } from '@sendlap/domain/dates.ts';

const DAYS_TO_SUNDAY = 6;

// Dates without a time: noon UTC is the same date in every time zone that matters here.
const noonOf = (date: string) => Date.parse(`${date}T12:00:00Z`);
const dayFormat = (locale: string) =>
  new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dateFormat = (locale: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** '16 Nov' */
export function formatDay(date: string, locale: string): string {
  return dayFormat(locale).format(noonOf(date));
}

/** '16 Nov 2026' */
export function formatDate(date: string, locale: string): string {
  return dateFormat(locale).format(noonOf(date));
}

/** Monday to Sunday as '16–22 Nov'. */
export function formatWeek(starts_on: string, locale: string): string {
  return dayFormat(locale).formatRange(noonOf(starts_on), noonOf(addDays(starts_on, DAYS_TO_SUNDAY)));
}

/** Monday to Sunday as '16–22 Nov 2026'. */
export function formatWeekWithYear(starts_on: string, locale: string): string {
  return dateFormat(locale).formatRange(noonOf(starts_on), noonOf(addDays(starts_on, DAYS_TO_SUNDAY)));
}
