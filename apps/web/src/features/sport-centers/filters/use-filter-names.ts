import { countryName } from '#web/shared/data/town-names.ts';
import { useLocale } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { useMeasures } from '#web/shared/units/use-measures.ts';
import { fixAllCaps } from '../search/fix-all-caps.ts';
import type { SearchState } from '../search/search-store.ts';
import type { Region } from '../search/search-url.ts';

/** 'Bilbao, Spain', 'Bilbao' or 'Spain'; '' without a country and a city. */
export function useRegionName({ country, city }: Region): string {
  const locale = useLocale();
  const names = [city && fixAllCaps(city), country && countryName(country, locale)];
  return names.filter((name) => name !== null).join(', ');
}

/** The filters that are on, in the order of their chips. */
export function useFilterNames({ sport, radius_km, box, country, city, open_to_all }: SearchState): string[] {
  const { t } = useTranslation(['sport-centers', 'shell']);
  const { distance } = useMeasures();
  const country_name = useRegionName({ country, city: null });
  const city_name = useRegionName({ country: null, city });
  return [
    sport ? t(`shell:sport.${sport}`) : '',
    radius_km !== null && !box ? distance(radius_km) : '',
    country_name,
    city_name,
    open_to_all ? t('filters.openToAll') : '',
  ].filter((name) => name !== '');
}
