import { dateFormat } from '#web/shared/i18n/formats.ts';

/** A moment as '18:05', '6:05 PM', on this device's clock. */
export function formatClock(epoch_ms: number, locale: string): string {
  return dateFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(epoch_ms);
}
