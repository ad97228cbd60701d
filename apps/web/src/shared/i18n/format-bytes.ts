import { numberFormat } from './formats.ts';

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** '340 kB', '3.2 MB': kilobytes are whole and rounded up; larger units have one decimal below ten. */
export function formatBytes(bytes: number, locale: string): string {
  let value = Math.ceil(bytes / 1000);
  let unit = 0;
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  const maximumFractionDigits = unit > 0 && value < 10 ? 1 : 0;
  return numberFormat(locale, { style: 'unit', unit: UNITS[unit], maximumFractionDigits }).format(value);
}

/** For a progress, whose unit must stay: '0.3 MB', '48.7 MB'. */
export function formatMegabytes(bytes: number, locale: string): string {
  return numberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }).format(bytes / 1e6);
}
