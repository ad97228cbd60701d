/** Code points of the name that boards show. */
export const MAX_DISPLAY_NAME_LENGTH = 40;
/** Shown on boards and to friends for whoever has not chosen a name yet. */
export const NAMELESS = 'Athlete';
const FALLBACK_NAME = 'User';

// Letters that Unicode does not decompose, but that people leave out when they type on another keyboard.
const PLAIN_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ĸ: 'k',
  // Lower case of Σ depends on its place in the word; search must not.
  ς: 'σ',
  '’': "'",
};
const PLAIN_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

// Direction marks, embeddings, overrides and isolates, and the spaces without width. Joiners stay: words need them.
const INVISIBLE = /[\p{Bidi_Control}\u200b\u2060\ufeff]/gu;

/** What a reader sees: no mark on its own, no space, nothing that may be left out. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\p{C}]/u;

const collators = new Map<string, Intl.Collator>();

/**
 * A foreign text on one line, without what could mislead a reader: characters that turn the direction of writing or
 * cannot be seen are gone, control characters and white space become single spaces, none at the ends. Empty where nothing
 * would be seen.
 */
export function cleanText(text: string): string {
  const clean = text
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return VISIBLE.test(clean) ? clean : '';
}

/** Name of a new user, clean: the name, else the part of the e-mail before the @, else 'User' (spec, section 3). */
export function defaultUserName(claims: { name?: string | null; email?: string | null }): string {
  return cleanText(claims.name ?? '') || cleanText(claims.email?.split('@')[0] ?? '') || FALLBACK_NAME;
}

/** One or two capitals for an avatar: of the first and the last word; '?' for an empty name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const first = firstLetter(words[0]);
  const last = words.length > 1 ? firstLetter(words.at(-1)) : '';
  return `${first}${last}`.toUpperCase() || '?';
}

/** First letter as a reader sees it, accent and emoji joiners included. */
function firstLetter(word = ''): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word);
  return first?.segment ?? '';
}

/** A text for searching: no accents, lower case, single spaces ('  Málaga' → 'malaga'). The same on both sides. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Order of names for people: accents and case do not separate, numbers count ("Wall 2" before "Wall 10"). */
export function compareNames(a: string, b: string, locale: string): number {
  let collator = collators.get(locale);
  if (!collator) {
    collator = new Intl.Collator(locale, { sensitivity: 'base', numeric: true });
    collators.set(locale, collator);
  }
  const order = collator.compare(a, b);
  if (order !== 0 || a === b) return order;
  return a < b ? -1 : 1;
}
