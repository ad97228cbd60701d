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

/** '45 min', '1 hr 30 min', '1 h y 30 min'. */
export function formatMinutes(minutes: number, locale: string): string {
  const part = (value: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return part(rest, 'minute');
  return rest === 0 ? part(hours, 'hour') : `${part(hours, 'hour')} ${part(rest, 'minute')}`;
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

export function formatClock(epoch_ms: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(epoch_ms);
}

/** 'Sat, Nov 21', 'sáb, 21 nov'. */
export function formatDay(epoch_ms: number, locale: string): string {
  return new Intl.DateTimeFormat(locale, { weekday: 'short', day: 'numeric', month: 'short' }).format(epoch_ms);
}

/**
 * Returns noon UTC of a date: the same date in every time zone where the sports take place, whatever daylight saving
 * does.
 */
function noonOf(date: string): number {
  return Date.parse(`${date}T12:00:00Z`);
}

/** A date 'YYYY-MM-DD' as 'Nov 21, 2026', '21 nov 2026'. */
export function formatDate(date: string, locale: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(noonOf(date));
}

/** A date as 'Saturday, November 21', 'sábado, 21 de noviembre'. */
export function formatLongDay(date: string, locale: string): string {
  const parts = { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, parts).format(noonOf(date));
}

/** A month 'YYYY-MM' as 'November 2026', 'noviembre de 2026'. */
export function formatMonth(month: string, locale: string): string {
  const parts = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, parts).format(noonOf(`${month}-01`));
}

export function formatNumber(value: number, locale: string, fraction_digits = 0): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: fraction_digits }).format(value);
}

export function formatMetres(metres: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'meter' }).format(metres);
}
