/** E.g. 18:05, in the given time zone and in the locale's format. */
export function formatZonedTime(epoch_ms: number, time_zone: string, locale: string): string {
  return formatterOf(locale, { hour: 'numeric', minute: '2-digit', timeZone: time_zone }).format(epoch_ms);
}

/** E.g. Saturday, 21 November. */
export function formatZonedDay(epoch_ms: number, time_zone: string, locale: string): string {
  return formatterOf(locale, { weekday: 'long', day: 'numeric', month: 'long', timeZone: time_zone }).format(epoch_ms);
}

/** A moment that may be days ago: only the time (18:05) if it is today, otherwise with its date. */
export function formatZonedMoment(epoch_ms: number, now_ms: number, time_zone: string, locale: string): string {
  const day = formatterOf(locale, { dateStyle: 'short', timeZone: time_zone });
  if (day.format(epoch_ms) === day.format(now_ms)) return formatZonedTime(epoch_ms, time_zone, locale);
  return formatterOf(locale, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: time_zone,
  }).format(epoch_ms);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Cached: the clock asks every second, and creating a formatter costs a hundred times as much as using it. */
function formatterOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = locale + JSON.stringify(options);
  const formatter = formatters.get(name) ?? new Intl.DateTimeFormat(locale, options);
  formatters.set(name, formatter);
  return formatter;
}
