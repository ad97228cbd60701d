/**
 * Returns noon UTC of a date: the same date in every time zone where the sports take place, whatever daylight saving
 * does.
 */
export function noonOf(date: string): number {
  return Date.parse(`${date}T12:00:00Z`);
}

/** The date of a moment (ms epoch or ISO 8601) on this device's clock, as `formatDate` writes it. */
export function formatDateOf(moment: number | string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(moment));
}

/** For dates in UTC (see `noonOf`): 'Nov 16', '16 nov'. */
export function shortDateFormat(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** A date 'YYYY-MM-DD' as 'Nov 21, 2026', '21 nov 2026'. */
export function formatDate(date: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(noonOf(date));
}
