import { dateFormat } from '#web/shared/i18n/formats.ts';

/** E.g. 18:05, in the given time zone and in the locale's format. */
export function formatZonedTime(epoch_ms: number, time_zone: string, locale: string): string {
  return dateFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone: time_zone }).format(epoch_ms);
}

/** E.g. Saturday, 21 November. */
export function formatZonedDay(epoch_ms: number, time_zone: string, locale: string): string {
  return dateFormat(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: time_zone }).format(epoch_ms);
}

/** A moment that may be days ago: only the time (18:05) if it is today, otherwise with its date. */
export function formatZonedMoment(epoch_ms: number, now_ms: number, time_zone: string, locale: string): string {
  const day = dateFormat(locale, { dateStyle: 'short', timeZone: time_zone });
  if (day.format(epoch_ms) === day.format(now_ms)) return formatZonedTime(epoch_ms, time_zone, locale);
  return dateFormat(locale, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: time_zone,
  }).format(epoch_ms);
}
