import { minutesOf } from '@sendlap/domain/centers/opening-hours.ts';
import { dateFormat } from '#web/shared/i18n/formats.ts';
import { firstWeekday } from '#web/shared/time/first-weekday.ts';
import { formatDateRangeWithYear } from '#web/shared/time/format-date-range.ts';

type Interval = { opens: string; closes: string };

/** Returns the days in the order of the locale's week; `day`: the index in stored hours, where 0 is Monday. */
export function weekdays(locale: string): { name: string; day: number }[] {
  const format = dateFormat(locale, { weekday: 'long', timeZone: 'UTC' });
  const first_day = firstWeekday(locale) - 1;
  return Array.from({ length: 7 }, (_, position) => {
    const day = (first_day + position) % 7;
    // 1 January 2024 was a Monday.
    return { name: format.format(Date.UTC(2024, 0, 1 + day)), day };
  });
}

/** Returns '7:00–13:00, 16:00–21:30'; '' without intervals. */
export function formatIntervals(intervals: readonly Interval[], locale: string): string {
  const format = dateFormat(locale, { timeStyle: 'short', timeZone: 'UTC' });
  const time = (text: string) => format.format(minutesOf(text) * 60_000);
  return intervals.map(({ opens, closes }) => `${time(opens)}–${time(closes)}`).join(', ');
}

/** Returns '24 Dec 2026' or '24–26 Dec 2026'. */
export function formatDays({ from, until }: { from: string; until: string }, locale: string): string {
  return formatDateRangeWithYear({ starts_on: from, ends_on: until }, locale);
}
