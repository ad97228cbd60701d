import { type BoundingBox, distanceKm, isInBox, type Position } from './geo.ts';
import { foldText } from './names.ts';
import { createVocabulary, type Vocabulary } from './search/vocabulary.ts';
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

function positionOf(query: CenterQuery): Position | undefined {
  const { latitude, longitude } = query;
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
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

/**
 * Returns true if the center is open and passes every filter of the query, with its words as they were typed.
 * `position` is the center of the radius.
 */
export function matchesSearch(center: SearchableCenter, query: CenterQuery, position = positionOf(query)): boolean {
  return matchesFilters(center, query, position) && hasTypedWords(center, query.q ?? '');
}

/** Returns whether a center has all words of a text as they were typed. */
export function hasTypedWords(center: SearchableText, text: string): boolean {
  const typed = searchWords(text).map((word) => [word]);
  return hasWords(searchTextOf(center), typed);
}

function matchesFilters(center: SearchableCenter, query: CenterQuery, position: Position | undefined): boolean {
  if (!matchesFacts(center, query, position)) return false;
  return hasCountryAndCity(foldPlace(center), query);
}

function matchesFacts(center: SearchableCenter, query: CenterQuery, position: Position | undefined): boolean {
  if (center.closed_at !== null) return false;
  if (query.sport && !center.sport_facilities.some(({ type }) => type === query.sport)) return false;
  if (query.is_private !== undefined && (center.is_private === true) !== query.is_private) return false;
  if (query.bbox && !isInBox(center, query.bbox)) return false;
  return !(position && query.radius_km !== undefined && distanceKm(position, center) > query.radius_km);
}

interface FoldedPlace {
  country: string;
  city: string;
}

function foldPlace({ country, city }: Pick<SearchableCenter, 'country' | 'city'>): FoldedPlace {
  return { country: foldText(country ?? ''), city: foldText(city ?? '') };
}

function hasCountryAndCity(place: FoldedPlace, query: CenterQuery): boolean {
  if (query.country && place.country !== foldText(query.country)) return false;
  return place.city.includes(foldText(query.city ?? ''));
}

/** As `searchCenters`, for many queries about the same centers: their texts are folded once. */
export function prepareSearch<Center extends SearchableCenter>(
  centers: readonly Center[],
): (query: CenterQuery) => (Center & { distance_km: number | null })[] {
  const folded = centers.map((center) => ({
    center,
    text: searchTextOf(center),
    name: foldText(center.name),
    place: foldPlace(center),
  }));
  const open = folded.filter(({ center }) => center.closed_at === null);
  let vocabulary: Vocabulary | undefined;

  /** Returns the words to look for: as typed, or with typing errors if no open center has those. */
  function choicesFor(query: CenterQuery): WordChoices | null {
    const words = searchWords(query.q ?? '');
    const typed = words.map((word) => [word]);
    const city = foldText(query.city ?? '');
    if (open.some(({ text, place }) => place.city.includes(city) && hasWords(text, typed))) return typed;
    vocabulary ??= createVocabulary(open.flatMap(({ text }) => searchWords(text)));
    return forgivingChoices(words, vocabulary);
  }

  return (query) => {
    const position = positionOf(query);
    const byDistance = position !== undefined && query.sort !== 'name';
    const choices = choicesFor(query);
    if (!choices) return [];
    return open
      .filter(({ center }) => matchesFacts(center, query, position))
      .filter(({ text, place }) => hasCountryAndCity(place, query) && hasWords(text, choices))
      .map(({ center, name }) => {
        const distance_km = position ? distanceKm(position, center) : null;
        return { found: { ...center, distance_km }, rank: byDistance ? (distance_km ?? 0) : name };
      })
      .sort((a, b) => compareValues(a.rank, b.rank) || compareValues(a.found.id, b.found.id))
      .map(({ found }) => found);
  };
}

/**
 * Returns the matching centers with their distance in km (null without a position), in the order of the query: by
 * distance, or by folded name; ties by id. Names compare by `compareCodePoints`. This is the reference: every faster
 * implementation must return the same.
 */
export function searchCenters<Center extends SearchableCenter>(
  centers: readonly Center[],
  query: CenterQuery,
): (Center & { distance_km: number | null })[] {
  return prepareSearch(centers)(query);
}

function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b);
  if (a === b) return 0;
  return a < b ? -1 : 1;
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
