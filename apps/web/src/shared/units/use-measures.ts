import { useLocale } from '../i18n/use-language.ts';
import { useUnits } from './chosen-units.ts';
import { createMeasures, type Measures } from './measures.ts';

/** Lengths, heights and weights as texts, in the units that were chosen on this device and in the language. */
export function useMeasures(): Measures {
  return createMeasures(useUnits(), useLocale());
}
