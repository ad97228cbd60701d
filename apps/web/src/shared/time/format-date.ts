import { dateFormat } from '#web/shared/i18n/formats.ts';

/** Returns noon UTC of a date (ms epoch), to be formatted in UTC. */
export function noonOf(date: string): number {
  return Date.parse(`${date}T12:00:00Z`);
}

/** The date of a moment (ms epoch or ISO 8601) in this device's time zone, in the medium form. */
export function formatDateOf(moment: number | string, locale: string): string {
  return dateFormat(locale, { dateStyle: 'medium' }).format(new Date(moment));
}

/** The date of a moment in the long form, for a sentence: 'November 21, 2026', '21 de noviembre de 2026'. */
export function formatLongDateOf(moment: number | string, locale: string): string {
  return dateFormat(locale, { dateStyle: 'long' }).format(new Date(moment));
}

/** A moment as 'Nov 21, 2026, 6:05 PM', '21 nov 2026, 18:05', in this device's time zone. */
export function formatDateTimeOf(moment: number | string, locale: string): string {
  return dateFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment));
}

/** For dates in UTC (see `noonOf`): 'Nov 16', '16 nov'. */
export function shortDateFormat(locale: string): Intl.DateTimeFormat {
  return dateFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
}

/** For dates in UTC, with the year: 'Nov 16, 2026', '16 nov 2026'. */
export function mediumDateFormat(locale: string): Intl.DateTimeFormat {
  return dateFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** A date 'YYYY-MM-DD' as 'Nov 21, 2026', '21 nov 2026'. */
export function formatDate(date: string, locale: string): string {
  return mediumDateFormat(locale).format(noonOf(date));
}
