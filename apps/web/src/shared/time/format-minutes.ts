type Unit = 'hour' | 'minute';

/** By language and unit: creating one takes a slow phone longer than all else in a row of a list. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(locale: string, unit: Unit): Intl.NumberFormat {
  const key = `${locale} ${unit}`;
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' });
  formats.set(key, format);
  return format;
}

/** '45 min', '1 hr 30 min', '1 h y 30 min'. */
export function formatMinutes(minutes: number, locale: string): string {
  const part = (value: number, unit: Unit) => formatOf(locale, unit).format(value);
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return part(rest, 'minute');
  return rest === 0 ? part(hours, 'hour') : `${part(hours, 'hour')} ${part(rest, 'minute')}`;
}

/** As `formatMinutes`; '<1 min' for less than a minute, of which 0 would say that nothing was done. */
export function formatDuration(minutes: number, locale: string): string {
  return minutes === 0 ? `<${formatMinutes(1, locale)}` : formatMinutes(minutes, locale);
}

/** A pause in whole minutes, rounded up, as the active time is rounded down; '<1 min' for less than a minute. */
export function formatPause(paused_s: number, locale: string): string {
  return paused_s < 60 ? formatDuration(0, locale) : formatMinutes(Math.ceil(paused_s / 60), locale);
}
