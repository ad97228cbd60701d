/** Maximum length of the name on leaderboards, in code points. */
export const MAX_DISPLAY_NAME_LENGTH = 40;
/** Name on leaderboards and for friends until the user has chosen one. */
export const DEFAULT_DISPLAY_NAME = 'Athlete';
const DEFAULT_USER_NAME = 'User';

// Letters that Unicode does not decompose, but that users replace by plain ones on another keyboard.
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
  // The lower case of Σ depends on its position in the word; search must not.
  ς: 'σ',
  '’': "'",
};
const PLAIN_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');

// Direction marks, embeddings, overrides and isolates, and zero-width spaces. Joiners stay: words need them.
const INVISIBLE = /[\p{Bidi_Control}\u200b\u2060\ufeff]/gu;

/** Visible characters: no lone marks, no spaces, no ignorable code points. */
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\p{M}\p{Z}\p{C}]/u;

const collators = new Map<string, Intl.Collator>();

/**
 * Returns a foreign text on one line, without characters that mislead a reader: removes direction changes and invisible
 * characters, replaces control characters and white space by single spaces, and trims. Empty if nothing visible
 * remains.
 */
export function cleanText(text: string): string {
  const clean = text
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return VISIBLE.test(clean) ? clean : '';
}

/**
 * Returns a new user's cleaned name: the name, else the part of the e-mail before the @, else 'User' (spec, section 3).
 */
export function defaultUserName(claims: { name?: string | null; email?: string | null }): string {
  return cleanText(claims.name ?? '') || cleanText(claims.email?.split('@')[0] ?? '') || DEFAULT_USER_NAME;
}

/** Longer than any common given name, and short enough for the title of a phone's screen. */
const MAX_SHORT_NAME_LENGTH = 16;
/** Words that begin a name, and need the word after them. */
const PARTICLES = new Set(
  'al bin da das de del della der di do dos du el la las le los ter van von y abd abdul abu عبد أبو أم'.split(' '),
);

/**
 * Returns the name to greet by: the first word, with the particles before it ('de la Cruz'). null if it is empty or too
 * long: a name is never cut.
 */
export function shortName(name: string): string | null {
  const words = name.split(/\s+/u).filter((word) => word !== '');
  const first = words.findIndex((word) => !PARTICLES.has(word.toLowerCase()));
  const short = (first === -1 ? words : words.slice(0, first + 1)).join(' ');
  return short === '' || [...short].length > MAX_SHORT_NAME_LENGTH ? null : short;
}

/** Returns one or two capitals for an avatar: of the first and the last word; '?' for an empty name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/u);
  const first = firstLetter(words[0]);
  const last = words.length > 1 ? firstLetter(words.at(-1)) : '';
  return `${first}${last}`.toUpperCase() || '?';
}

/** Returns the first letter as a reader sees it, with accents and emoji joiners. */
function firstLetter(word = ''): string {
  const [first] = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(word);
  return first?.segment ?? '';
}

/**
 * Folds a text for searching: no accents, lower case, single spaces (' Málaga' → 'malaga'). Same on client and server.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter)
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

/** Compares names for display: ignores accents and case, and compares numbers ("Wall 2" before "Wall 10"). */
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
