import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { countryName } from '#web/shared/data/town-names.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { fixAllCaps } from '../search/fix-all-caps.ts';

const NO_BREAK_SPACE = '\u00a0';

/** Says where the nearest center is, if it is far away. */
export function NearestNote({ center, total }: { center: FoundSportCenter; total: number }) {
  const { t } = useTranslation('center-search');
  const locale = useLocale();
  const measures = useMeasures();
  const town = fixAllCaps(center.city || (center.place_names[0] ?? ''));
  const country = center.country === null ? '' : countryName(center.country, locale);
  const where = [town, country].filter((part) => part !== '').join(', ');
  const distance = measures.distance(center.distance_km ?? 0).replace(' ', NO_BREAK_SPACE);
  const texts = { distance, count: total };
  return <p>{where === '' ? t('nearestAt', texts) : t('nearestIn', { ...texts, where })}</p>;
}
