import type { DateRange } from '@sendlap/domain/dates.ts';
import { mediumDateFormat, noonOf, shortDateFormat } from './format-date.ts';

/** Two dates as 'Nov 16 – 22', '16–22 nov'. */
export function formatDateRange({ starts_on, ends_on }: DateRange, locale: string): string {
  return shortDateFormat(locale).formatRange(noonOf(starts_on), noonOf(ends_on));
}

/** Two dates as 'Nov 16 – 22, 2026', '16–22 nov 2026'; a single one if they are equal. */
export function formatDateRangeWithYear({ starts_on, ends_on }: DateRange, locale: string): string {
  return mediumDateFormat(locale).formatRange(noonOf(starts_on), noonOf(ends_on));
}
