import { distanceKm, isInBox, type Position } from '../src/geo.ts';
import { foldText } from '../src/names.ts';
import { createVocabulary, type Vocabulary } from '../src/search/vocabulary.ts';
import {
  type CenterQuery,
  compareCodePoints,
  forgivingChoices,
  hasTypedWords,
  hasWords,
  type SearchableCenter,
  searchTextOf,
  searchWords,
  type WordChoices,
} from '../src/sport-centers.ts';

function positionOf(query: CenterQuery): Position | undefined {
  const { latitude, longitude } = query;
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude };
}

/**
 * Returns true if the center is open and passes every filter of the query, with its words as they were typed.
 * `position` is the center of the radius.
 */
export function matchesSearch(center: SearchableCenter, query: CenterQuery, position = positionOf(query)): boolean {
  return matchesFilters(center, query, position) && hasTypedWords(center, query.q ?? '');
}

function matchesFilters(center: SearchableCenter, query: CenterQuery, position: Position | undefined): boolean {
  if (!matchesFacts(center, query, position)) return false;
  return hasCountryAndCity(foldAddress(center), query);
}

function matchesFacts(center: SearchableCenter, query: CenterQuery, position: Position | undefined): boolean {
  if (center.closed_at !== null) return false;
  if (query.sport && !center.sport_facilities.some(({ type }) => type === query.sport)) return false;
  if (query.is_private !== undefined && (center.is_private === true) !== query.is_private) return false;
  if (query.bbox && !isInBox(center, query.bbox)) return false;
  return !(position && query.radius_km !== undefined && distanceKm(position, center) > query.radius_km);
}

interface FoldedAddress {
  country: string;
  city: string;
}

function foldAddress({ country, city }: Pick<SearchableCenter, 'country' | 'city'>): FoldedAddress {
  return { country: foldText(country ?? ''), city: foldText(city ?? '') };
}

function hasCountryAndCity(address: FoldedAddress, query: CenterQuery): boolean {
  if (query.country && address.country !== foldText(query.country)) return false;
  return address.city.includes(foldText(query.city ?? ''));
}

/** As `searchCenters`, for many queries about the same centers: their texts are folded once. */
export function prepareSearch<Center extends SearchableCenter>(
  centers: readonly Center[],
): (query: CenterQuery) => (Center & { distance_km: number | null })[] {
  const folded = centers.map((center) => ({
    center,
    text: searchTextOf(center),
    name: foldText(center.name),
    address: foldAddress(center),
  }));
  const open = folded.filter(({ center }) => center.closed_at === null);
  let vocabulary: Vocabulary | undefined;

  /** Returns the words to look for: as typed, or with typing errors if no open center has those. */
  function choicesFor(query: CenterQuery): WordChoices | null {
    const words = searchWords(query.q ?? '');
    const typed = words.map((word) => [word]);
    const city = foldText(query.city ?? '');
    if (open.some(({ text, address }) => address.city.includes(city) && hasWords(text, typed))) return typed;
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
      .filter(({ text, address }) => hasCountryAndCity(address, query) && hasWords(text, choices))
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
