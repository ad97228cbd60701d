import { addDays } from '@sendlap/domain/dates.ts';
import { mediumDateFormat, noonOf, shortDateFormat } from '#web/shared/time/format-date.ts';

const DAYS_TO_SUNDAY = 6;

/** Monday to Sunday as '16–22 Nov'. */
export function formatWeek(starts_on: string, locale: string): string {
  return shortDateFormat(locale).formatRange(noonOf(starts_on), noonOf(addDays(starts_on, DAYS_TO_SUNDAY)));
}

/** Monday to Sunday as '16–22 Nov 2026'. */
export function formatWeekWithYear(starts_on: string, locale: string): string {
  return mediumDateFormat(locale).formatRange(noonOf(starts_on), noonOf(addDays(starts_on, DAYS_TO_SUNDAY)));
}
