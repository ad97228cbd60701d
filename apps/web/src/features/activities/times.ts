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
export function formatMinutes(minutes: number, language: string): string {
  const part = (value: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return part(rest, 'minute');
  return rest === 0 ? part(hours, 'hour') : `${part(hours, 'hour')} ${part(rest, 'minute')}`;
}

export function formatClock(epoch_ms: number, language: string): string {
  return new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' }).format(epoch_ms);
}

/** '2:01 – 2:51 AM', '14:01–14:51'. */
export function formatTimes(from_ms: number, to_ms: number, language: string): string {
  return new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' }).formatRange(from_ms, to_ms);
}

/** 'Sat, Nov 21', 'sáb, 21 nov'. */
export function formatDay(epoch_ms: number, language: string): string {
  return new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short' }).format(epoch_ms);
}

export function formatNumber(value: number, language: string, fraction_digits = 0): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: fraction_digits }).format(value);
}

export function formatMetres(metres: number, language: string): string {
  return new Intl.NumberFormat(language, { style: 'unit', unit: 'meter' }).format(metres);
}
