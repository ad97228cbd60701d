import { dateFormat } from '#web/shared/i18n/formats.ts';

/** 'Sat, Nov 21', 'sáb, 21 nov'. */
export function formatDay(epoch_ms: number, locale: string): string {
  return dateFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' }).format(epoch_ms);
}
