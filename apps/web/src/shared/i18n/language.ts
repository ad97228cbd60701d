import { deviceStorage } from '../device/device-storage.ts';

/** Each language under its own name. */
export const LANGUAGES = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
] as const;
export type Language = (typeof LANGUAGES)[number]['value'];

const PREFERENCE_KEY = 'preferred-language';

export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language.value === value);
}

/** Returns this device's preference, else the first supported language of the browser's list, else English. */
export function initialLanguage(stored: string | null, browser: readonly string[]): Language {
  if (isLanguage(stored)) return stored;
  return browser.map((locale) => locale.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en';
}

export function readPreferredLanguage(): string | null {
  return deviceStorage.getItem(PREFERENCE_KEY);
}

export function savePreferredLanguage(language: Language): void {
  deviceStorage.setItem(PREFERENCE_KEY, language);
}
