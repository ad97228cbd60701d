import { numberFormat } from '#web/shared/i18n/formats.ts';

type Unit = 'hour' | 'minute';

/** '45 min', '1 hr 30 min', '1 h y 30 min'. */
export function formatMinutes(minutes: number, locale: string): string {
  const part = (value: number, unit: Unit) =>
    numberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
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
