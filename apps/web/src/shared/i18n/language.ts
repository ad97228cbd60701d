export type Language = 'en' | 'es';

const PREFERENCE_KEY = 'preferred-language';

export function isLanguage(value: unknown): value is Language {
  return value === 'en' || value === 'es';
}

/** The preference of this device, else the first of the browser's languages that is one of ours, else English. */
export function initialLanguage(stored: string | null, browser: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return browser.map((locale) => locale.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';
}

export function readPreferredLanguage(): string | null {
  try {
    return localStorage.getItem(PREFERENCE_KEY);
  } catch {
    return null; // Storage may be switched off; the browser's language is good enough then.
  }
}

export function savePreferredLanguage(language: Language): void {
  try {
    localStorage.setItem(PREFERENCE_KEY, language);
  } catch {
    // The choice still holds until the page is closed.
  }
}
