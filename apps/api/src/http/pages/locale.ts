const LOCALES = ['en', 'es'] as const;
export type Locale = (typeof LOCALES)[number];

/** What Sendlap is, under its name on every page that the server renders. */
export const TAGLINE: Record<Locale, string> = {
  en: 'Climb, swim, and prove it.',
  es: 'Escala, nada y demuéstralo.',
};

/**
 * Returns the first supported language: of those that the app requests (`ui_locales`), then of the browser's; else
 * English.
 */
export function chooseLocale(ui_locales: unknown, accept_language: string | undefined): Locale {
  const requested = typeof ui_locales === 'string' ? ui_locales.split(' ') : [];
  const accepted = (accept_language ?? '')
    .split(',')
    .map((part) => part.split(';q='))
    .sort(([, a = '1'], [, b = '1']) => Number(b) - Number(a))
    .map(([tag = '']) => tag.trim());
  for (const tag of [...requested, ...accepted]) {
    const locale = LOCALES.find((known) => tag.toLowerCase().split('-')[0] === known);
    if (locale) return locale;
  }
  return 'en';
}
