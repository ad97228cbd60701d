import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { countryName } from '#web/shared/data/town-names.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { fixAllCaps } from '../search/fix-all-caps.ts';
import { formatDistance } from '../search/format-distance.ts';

/** Says where the nearest center is, if it is far away. */
export function NearestNote({ center }: { center: FoundSportCenter }) {
  const { t } = useTranslation('center-search');
  const language = useLanguage();
  const locale = useLocale();
  const town = fixAllCaps(center.city || (center.place_names[0] ?? ''));
  const country = center.country === null ? '' : countryName(center.country, locale);
  const where = [town, country].filter((part) => part !== '').join(', ');
  const distance = formatDistance(center.distance_km ?? 0, language);
  return <p>{where === '' ? t('nearestAt', { distance }) : t('nearestIn', { where, distance })}</p>;
}
