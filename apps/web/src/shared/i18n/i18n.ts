import {
  initialLanguage,
  isLanguage,
  type Language,
  readPreferredLanguage,
  savePreferredLanguage,
} from './language.ts';
import type { Namespace } from './resources.ts';
import { FIRST_NOUNS } from './text-groups.ts';
import { fetchTexts, hasTexts, notifyListeners, requestedNamespaces } from './texts.ts';

/** Any screen may need them, but only after an error. */
const NEXT_NAMESPACES: Namespace[] = ['errors'];

let language: Language = 'en';
let chosen: Language = 'en';

/** Loads the first texts in the device's language; if they fail to load, the app starts in English. */
export async function startI18n(): Promise<void> {
  chosen = initialLanguage(readPreferredLanguage(), navigator.languages);
  await fetchTexts(chosen, FIRST_NOUNS);
  await switchTo(chosen);
  document.documentElement.lang = language;
  void fetchTexts(language, NEXT_NAMESPACES);
  globalThis.addEventListener?.('online', () => void fetchMissingTexts());
}

/** Loads a screen's texts, in parallel with its code. Throws if they fail to load. */
export async function loadNamespaces(namespaces: Namespace[]): Promise<void> {
  const loaded = language;
  await fetchTexts(loaded, namespaces);
  if (!hasTexts(loaded, namespaces)) throw new Error(`the texts did not come: ${namespaces.join(', ')}`);
}

/** Returns the language of the texts, for code outside of components; components use `useLanguage()`. */
export function currentLanguage(): Language {
  return language;
}

/** Returns the locale for dates and numbers: the browser's own variant of the language ('en-GB') if it has one. */
export function localeOf(language: Language): string {
  return navigator.languages.find((locale) => locale.toLowerCase().split('-')[0] === language) ?? language;
}

/** See `localeOf`. Components use `useLocale()`. */
export function currentLocale(): string {
  return localeOf(currentLanguage());
}

/** Remembers the choice on this device and switches all texts at once, if they can be loaded. */
export async function changeLanguage(next: Language): Promise<void> {
  if (!isLanguage(next)) return;
  savePreferredLanguage(next);
  await switchTo(next);
}

/** Runs when the network is back: loads texts that failed, and a chosen language that could not be loaded. */
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
    // A screen that was opened in the meantime requested more.
  } while (requestedNamespaces().length > namespaces.length);
  if (chosen !== next || !hasTexts(next, namespaces)) return;
  language = next;
  document.documentElement.lang = next;
  notifyListeners();
}
