import type { BioInfoValues, BodyField } from '@sendlap/domain/bio-info/bio-info-form.ts';

const UNITS = {
  age: { unit: 'year', unitDisplay: 'long' },
  weight_kg: { unit: 'kilogram', unitDisplay: 'short' },
  height_cm: { unit: 'centimeter', unitDisplay: 'short' },
} as const;

/** '34 years', '61.5 kg', '170 cm'; '34 años', '61,5 kg'. */
export function formatBodyValue(field: BodyField, value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'unit', maximumFractionDigits: 1, ...UNITS[field] }).format(value);
}

/** As typed into a field: '61.5', '61,5'. */
export function formatForInput(value: number, locale: string): string {
  return new Intl.NumberFormat(locale, { maximumFractionDigits: 1, useGrouping: false }).format(value);
}

/** Returns the text key for the sex, or for its absence. */
export function maleTextKey(male: BioInfoValues['male']): 'body.maleTrue' | 'body.maleFalse' | 'body.notSaid' {
  if (male === null) return 'body.notSaid';
  return male ? 'body.maleTrue' : 'body.maleFalse';
}
