import {
  initialLanguage,
  isLanguage,
  type Language,
  readPreferredLanguage,
  savePreferredLanguage,
} from './language.ts';
import type { Namespace } from './resources.ts';
import { fetchTexts, hasTexts, notifyListeners, requestedNamespaces } from './texts.ts';

/** The sign-in screen needs them. */
const FIRST_NAMESPACES: Namespace[] = ['shell', 'auth'];
/** Any screen may need them, but not before something went wrong. */
const NEXT_NAMESPACES: Namespace[] = ['errors'];

let language: Language = 'en';
let chosen: Language = 'en';

/** Loads the first texts of the device's language; where they do not come the app starts in English. */
export async function startI18n(): Promise<void> {
  chosen = initialLanguage(readPreferredLanguage(), navigator.languages);
  await fetchTexts(chosen, FIRST_NAMESPACES);
  await switchTo(chosen);
  document.documentElement.lang = language;
  void fetchTexts(language, NEXT_NAMESPACES);
  globalThis.addEventListener?.('online', () => void fetchMissingTexts());
}

/** Loads the texts of a screen, side by side with its code. Throws if they do not come. */
export async function loadNamespaces(namespaces: Namespace[]): Promise<void> {
  const loaded = language;
  await fetchTexts(loaded, namespaces);
  if (!hasTexts(loaded, namespaces)) throw new Error(`the texts did not come: ${namespaces.join(', ')}`);
}

/** The language of the texts, for code outside of components; those take `useLanguage()`. */
export function currentLanguage(): Language {
  return language;
}

/** For dates and numbers: the browser's own variant of the language ('en-GB') where it has one. */
export function localeOf(language: Language): string {
  return navigator.languages.find((locale) => locale.toLowerCase().split('-')[0] === language) ?? language;
}

/** See `localeOf`. Components take `useLocale()`. */
export function currentLocale(): string {
  return localeOf(currentLanguage());
}

/** Remembers the choice on this device and switches all texts at once, if they can be loaded. */
export async function changeLanguage(next: Language): Promise<void> {
  if (!isLanguage(next)) return;
  savePreferredLanguage(next);
  await switchTo(next);
}

/** With the network back: what did not come, and the language that could not be loaded when it was chosen. */
async function fetchMissingTexts(): Promise<void> {
  if (chosen !== language) await switchTo(chosen);
  await fetchTexts(language, requestedNamespaces());
}

async function switchTo(next: Language): Promise<void> {
  chosen = next;
  let namespaces: Namespace[];
  do {
    namespaces = requestedNamespaces();
    await fetchTexts(next, namespaces);
    // A screen that was opened in the meantime asked for more.
  } while (requestedNamespaces().length > namespaces.length);
  if (chosen !== next || !hasTexts(next, namespaces)) return;
  language = next;
  document.documentElement.lang = next;
  notifyListeners();
}
