import type { PersonalBest } from '@sendlap/contract/stats.ts';

const FORMATS: Record<PersonalBest['measure'], Intl.NumberFormatOptions> = {
  points: {},
  minutes: { style: 'unit', unit: 'minute', unitDisplay: 'short' },
  metres: { style: 'unit', unit: 'meter' },
};

/** Formats a value in the unit of its measure: '473', '120 min', '2,000 m'. */
export function formatValue(measure: PersonalBest['measure'], value: number, locale: string): string {
  return new Intl.NumberFormat(locale, FORMATS[measure]).format(value);
}
