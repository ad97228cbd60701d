import type { BioInfoValues, BodyField } from '@sendlap/domain/bio-info/bio-info-form.ts';
import { numberFormat } from '#web/shared/i18n/formats.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';

/** Formats body data in the user's units: '34 years', '61.5 kg', '170 cm'; '34 años', '135,6 lb', '5 ft 7 in'. */
export function useBodyValueText(): (field: BodyField, value: number) => string {
  const locale = useLocale();
  const { weight, height } = useMeasures();
  return (field, value) => {
    if (field === 'weight_kg') return weight(value);
    if (field === 'height_cm') return height(value);
    return numberFormat(locale, { style: 'unit', unit: 'year', unitDisplay: 'long' }).format(value);
  };
}

/** As typed into a field: '61.5', '61,5'. */
export function formatForInput(value: number, locale: string): string {
  return numberFormat(locale, { maximumFractionDigits: 1, useGrouping: false }).format(value);
}

/** Returns the text key for the sex, or for its absence. */
export function maleTextKey(male: BioInfoValues['male']): 'body.maleTrue' | 'body.maleFalse' | 'body.notSaid' {
  if (male === null) return 'body.notSaid';
  return male ? 'body.maleTrue' : 'body.maleFalse';
}
