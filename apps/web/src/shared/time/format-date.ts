/**
 * Returns noon UTC of a date: the same date in every time zone where the sports take place, whatever daylight saving
 * does.
 */
export function noonOf(date: string): number {
  return Date.parse(`${date}T12:00:00Z`);
}

/** A date 'YYYY-MM-DD' as 'Nov 21, 2026', '21 nov 2026'. */
export function formatDate(date: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(noonOf(date));
}
