import type { Town } from '@sendlap/contract/towns.ts';

/** The town's name in a language. */
export function townName({ name, name_es }: Pick<Town, 'name' | 'name_es'>, language: string): string {
  return language.startsWith('es') ? (name_es ?? name) : name;
}

/** 'España' for 'ES' in Spanish; the code itself if the browser does not know the country. */
export function countryName(code: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code;
  } catch {
    return code;
  }
}
