import { dateFormat, numberFormat } from '#web/shared/i18n/formats.ts';
import { noonOf } from '#web/shared/time/format-date.ts';

const HOUR_S = 3600;
const MINUTE_S = 60;

const two = (value: number) => String(value).padStart(2, '0');

/** '0:07', '12:34', '1:02:03'; never negative. */
export function formatTimer(elapsed_ms: number): string {
  const seconds = Math.max(0, Math.floor(elapsed_ms / 1000));
  const hours = Math.floor(seconds / HOUR_S);
  const minutes = Math.floor((seconds % HOUR_S) / MINUTE_S);
  const rest = two(seconds % MINUTE_S);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

/** Formats a time for a `datetime-local` field: local time of this device to the minute, without a zone. */
export function toLocalInput(epoch_ms: number): string {
  const offset_ms = new Date(epoch_ms).getTimezoneOffset() * MINUTE_S * 1000;
  return new Date(epoch_ms - offset_ms).toISOString().slice(0, 16);
}

/** Returns ms epoch; NaN for an empty field. */
export function fromLocalInput(text: string): number {
  return Date.parse(text);
}

/** A date as 'Saturday, November 21', 'sábado, 21 de noviembre'. */
export function formatLongDay(date: string, locale: string): string {
  const parts = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return dateFormat(locale, parts).format(noonOf(date));
}

/** A month 'YYYY-MM' as 'November 2026', 'noviembre de 2026'. */
export function formatMonth(month: string, locale: string): string {
  const parts = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return dateFormat(locale, parts).format(noonOf(`${month}-01`));
}

export function formatNumber(value: number, locale: string, fraction_digits = 0): string {
  return numberFormat(locale, { maximumFractionDigits: fraction_digits }).format(value);
}
