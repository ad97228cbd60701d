import i18next, { type BackendModule, type ResourceKey } from 'i18next';
import { initReactI18next } from 'react-i18next';
import enAuth from './en/auth.json';
import enShell from './en/shell.json';
import {
  initialLanguage,
  isLanguage,
  type Language,
  readPreferredLanguage,
  savePreferredLanguage,
} from './language.ts';
import type { Namespace } from './resources.ts';

/** What the sign-in screen needs; English is in the first script because every other language falls back to it. */
const FIRST_NAMESPACES: Namespace[] = ['shell', 'auth'];
/** What may be said on any screen, but not before something went wrong. */
const NEXT_NAMESPACES: Namespace[] = ['errors'];

const files = import.meta.glob<ResourceKey>(['./{en,es}/*.json', '!./en/{shell,auth}.json'], {
  import: 'default',
});

const jsonFiles: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (language, namespace, done) => {
    const load = files[`./${language}/${namespace}.json`];
    if (!load) return done(null, {});
    load().then(
      (texts) => done(null, texts),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), false),
    );
  },
};

/** Loads the first texts of the device's language. A missing text falls back to English, then to its key. */
export async function startI18n(): Promise<void> {
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language;
  });
  await i18next
    .use(jsonFiles)
    .use(initReactI18next)
    .init({
      lng: initialLanguage(readPreferredLanguage(), navigator.languages),
      fallbackLng: 'en',
      supportedLngs: ['en', 'es'],
      ns: FIRST_NAMESPACES,
      defaultNS: 'shell',
      resources: { en: { shell: enShell, auth: enAuth } },
      partialBundledLanguages: true,
      returnNull: false,
      interpolation: { escapeValue: false },
    });
  void loadNamespaces(NEXT_NAMESPACES).catch(() => {});
}

/** Loads what a screen says, side by side with the screen's code. */
export async function loadNamespaces(namespaces: Namespace[]): Promise<void> {
  if (namespaces.length > 0) await i18next.loadNamespaces(namespaces);
}

/** The language of the texts, for what is no component; those take `useLanguage()`. */
export function currentLanguage(): Language {
  return isLanguage(i18next.resolvedLanguage) ? i18next.resolvedLanguage : 'en';
}

/** For dates and numbers: the browser's own variant of the language ('en-GB') where it has one. */
export function localeOf(language: Language): string {
  return navigator.languages.find((locale) => locale.toLowerCase().split('-')[0] === language) ?? language;
}

/** See `localeOf`. Components take `useLocale()`. */
export function currentLocale(): string {
  return localeOf(currentLanguage());
}

/** Switches all texts at once, after they have been loaded, and remembers the choice on this device. */
export async function changeLanguage(language: Language): Promise<void> {
  savePreferredLanguage(language);
  await i18next.changeLanguage(language);
}
