export type Language = 'en' | 'es';

const PREFERENCE_KEY = 'preferred-language';

export function isLanguage(value: unknown): value is Language {
  return value === 'en' || value === 'es';
}

/** Returns this device's preference, else the first supported language of the browser's list, else English. */
export function initialLanguage(stored: string | null, browser: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return browser.map((locale) => locale.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';
}

export function readPreferredLanguage(): string | null {
  try {
    return localStorage.getItem(PREFERENCE_KEY);
  } catch {
    return null; // Storage may be disabled; then use the browser's language.
  }
}

export function savePreferredLanguage(language: Language): void {
  try {
    localStorage.setItem(PREFERENCE_KEY, language);
  } catch {
    // The choice still lasts until the page is closed.
  }
}
