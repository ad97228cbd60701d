import { useSyncExternalStore } from 'react';
import { currentLanguage, localeOf } from './i18n.ts';
import type { Language } from './language.ts';
import { subscribe } from './texts.ts';

/**
 * The language of the texts, kept up to date. A component must not call `currentLanguage()` instead: React's compiler
 * would cache that call without arguments, and keep its result through every change of language.
 */
export function useLanguage(): Language {
  return useSyncExternalStore(subscribe, currentLanguage, currentLanguage);
}

/** For dates and numbers in a component; see `localeOf`. */
export function useLocale(): string {
  return localeOf(useLanguage());
}
