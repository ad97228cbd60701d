import { useLanguage } from '#web/shared/i18n/use-language.ts';
import { useTranslation } from '#web/shared/i18n/use-translation.ts';
import { isArea, type SavablePlace } from './place.ts';

type Named = Pick<SavablePlace, 'id' | 'name' | 'name_es' | 'country'>;

/** What a place is called in the language of the app, and in which country it lies. */
export function usePlaceName(): (place: Named) => { name: string; country: string | null } {
  const { t } = useTranslation('offline');
  const language = useLanguage();
  return (place) => {
    const known = (language === 'es' ? place.name_es : null) ?? place.name;
    if (!isArea(place)) return { name: known ?? place.id, country: countryName(place.country, language) };
    return { name: known ? t('areaAround', { name: known }) : t('area'), country: null };
  };
}

function countryName(country: string, language: string): string | null {
  try {
    return new Intl.DisplayNames(language, { type: 'region' }).of(country) ?? null;
  } catch {
    return null; // No code of a country.
  }
}
