/** '45 min', '1 hr 30 min', '1 h y 30 min'. */
export function formatMinutes(minutes: number, locale: string): string {
  const part = (value: number, unit: 'hour' | 'minute') =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return part(rest, 'minute');
  return rest === 0 ? part(hours, 'hour') : `${part(hours, 'hour')} ${part(rest, 'minute')}`;
}

/** A pause in whole minutes, rounded up, as the active time is rounded down. */
export function formatPause(paused_s: number, locale: string): string {
  return formatMinutes(Math.ceil(paused_s / 60), locale);
}
