import type { BoundingBox, Position } from './geo.ts';
import { foldText } from './names.ts';
import type { Vocabulary } from './search/vocabulary.ts';
import type { Sport } from './sports.ts';

/** The facts of a center that a search uses; the contract's SportCenter has all of them. */
export interface SearchableCenter extends Position {
  id: string;
  name: string;
  address: string | null;
  city: string | null;
  country: string | null;
  /** null means unknown. */
  is_private: boolean | null;
  /** Further names of the center. */
  other_names: readonly string[];
  /** Names of the towns that contain it. */
  place_names: readonly string[];
  /** null while it is open; lists never contain a closed center. */
  closed_at: string | null;
  sport_facilities: readonly { type: Sport }[];
}

/** The texts of a center whose words a search finds. */
export type SearchableText = Pick<SearchableCenter, 'name' | 'other_names' | 'city' | 'address' | 'place_names'>;

/** The query of GET /v1/sport-centers/search; an absent or empty field does not filter. */
export interface CenterQuery {
  q?: string;
  city?: string;
  country?: string;
  sport?: Sport;
  latitude?: number;
  longitude?: number;
  /** Needs latitude and longitude. */
  radius_km?: number;
  bbox?: BoundingBox;
  /** false hides centers known to be private, true shows only those. */
  is_private?: boolean;
  /** Default: by distance if there is a position, else by name. */
  sort?: 'distance' | 'name';
}

/** Matching centers are counted up to this; beyond it a total is a lower bound. */
export const MAX_TOTAL = 1000;

/** Returns the folded words of a search; punctuation separates words, so "saint-denis" also finds "Saint Denis". */
export function searchWords(text: string): string[] {
  return foldText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns the text in which a search looks for words: all names, city and address, folded, separated by one space. */
export function searchTextOf({ name, other_names, city, address, place_names }: SearchableText): string {
  return foldText([name, ...other_names, city ?? '', address ?? '', ...place_names].join(' '));
}

/** The words that a center's text must contain: of each list at least one. */
export type WordChoices = readonly (readonly string[])[];

/**
 * Returns, for each word of a search, the word and those it may mean by a typing error. They count only if no open
 * center has all words as they were typed, and its city. Null if no word has any: the search then finds nothing.
 */
export function forgivingChoices(words: readonly string[], { corrections }: Vocabulary): WordChoices | null {
  const choices = words.map((word) => [word, ...corrections(word)]);
  return choices.some(({ length }) => length > 1) ? choices : null;
}

/** Returns whether a center's text (see `searchTextOf`) has one word of each list. */
export function hasWords(text: string, choices: WordChoices): boolean {
  return choices.every((words) => words.some((word) => text.includes(word)));
}

/** Returns whether a center has all words of a text as they were typed. */
export function hasTypedWords(center: SearchableText, text: string): boolean {
  const typed = searchWords(text).map((word) => [word]);
  return hasWords(searchTextOf(center), typed);
}

/** Compares centers for lists by name. */
export function compareByName(a: { name_folded: string; id: string }, b: { name_folded: string; id: string }): number {
  return compareCodePoints(a.name_folded, b.name_folded) || compareCodePoints(a.id, b.id);
}

/** Compares by code points, as SQL's "C" collation compares UTF-8; JavaScript's `<` sorts U+FF21 after an emoji. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const difference = codePointOrderOf(a.charCodeAt(at)) - codePointOrderOf(b.charCodeAt(at));
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}

/** Surrogates encode the highest code points, but their own numbers are below U+E000 to U+FFFF. */
function codePointOrderOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
