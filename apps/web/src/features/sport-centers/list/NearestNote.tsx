import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { countryName } from '#web/shared/data/town-names.ts';
import { useLanguage, useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { fixAllCaps } from '../search/fix-all-caps.ts';
import { formatDistance } from '../search/format-distance.ts';

const NO_BREAK_SPACE = '\u00a0';

/** Says where the nearest center is, if it is far away. */
export function NearestNote({ center, total }: { center: FoundSportCenter; total: number }) {
  const { t } = useTranslation('center-search');
  const language = useLanguage();
  const locale = useLocale();
  const town = fixAllCaps(center.city || (center.place_names[0] ?? ''));
  const country = center.country === null ? '' : countryName(center.country, locale);
  const where = [town, country].filter((part) => part !== '').join(', ');
  const distance = formatDistance(center.distance_km ?? 0, language).replace(' ', NO_BREAK_SPACE);
  const texts = { distance, count: total };
  return <p>{where === '' ? t('nearestAt', texts) : t('nearestIn', { ...texts, where })}</p>;
}
