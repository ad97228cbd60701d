import { useTranslation } from 'react-i18next';
import { localeOf } from './i18n.ts';
import { isLanguage, type Language } from './language.ts';

/**
 * The language of the texts, kept up to date. A component must not call `currentLanguage()` instead: the compiler would
 * ask it once, for a call without arguments, and keep its answer through every change of language.
 */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return isLanguage(i18n.resolvedLanguage) ? i18n.resolvedLanguage : 'en';
}

/** For dates and numbers in a component; see `localeOf`. */
export function useLocale(): string {
  return localeOf(useLanguage());
}
