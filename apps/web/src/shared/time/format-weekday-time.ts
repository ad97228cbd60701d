import { dateFormat } from '#web/shared/i18n/formats.ts';

/** A moment of the next days as 'Saturday 6:05 PM', 'sábado, 18:05', on this device's clock. */
export function formatWeekdayTime(moment: number | string, locale: string): string {
  return dateFormat(locale, { weekday: 'long', hour: 'numeric', minute: '2-digit' }).format(new Date(moment));
}

/** With the date, for a moment that may be a week away: 'Saturday, November 21 at 6:05 PM'. */
export function formatWeekdayDateTime(moment: number | string, locale: string): string {
  const date = { weekday: 'long', day: 'numeric', month: 'long' } as const;
  return dateFormat(locale, { ...date, hour: 'numeric', minute: '2-digit' }).format(new Date(moment));
}

/** Two moments of the last days as 'Sat 6:05 – 7:35 PM', 'sáb, 18:05–19:35'. */
export function formatWeekdayTimeRange(from: number | string, to: number | string, locale: string): string {
  return dateFormat(locale, { weekday: 'short', hour: 'numeric', minute: '2-digit' }).formatRange(
    new Date(from),
    new Date(to),
  );
}
