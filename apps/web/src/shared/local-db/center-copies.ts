import {
  buildCenterIndex,
  type CenterIndex,
  type Hit,
  type IndexedCenter,
} from '@sendlap/center-index/center-index.ts';
import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { createVocabulary, type Vocabulary } from '@sendlap/domain/search/vocabulary.ts';
import {
  type CenterQuery,
  compareByName,
  forgivingChoices,
  hasWords,
  searchTextOf,
  searchWords,
  type WordChoices,
} from '@sendlap/domain/sport-centers.ts';
import type { Cached } from './schema.ts';

/** What a search keeps of one copy: texts for the words, the rest for the index. */
export interface CopyFacts {
  id: string;
  name_folded: string;
  city_folded: string;
  /** See `searchTextOf`. */
  text: string;
  cached_at: number;
  indexed: IndexedCenter;
}

/** The found copies by id, in the order of the search. */
export interface FoundCopies {
  found: { id: string; distance_km: number | null; cached_at: number }[];
  /** Cursor of the next page; null after the last. */
  next: Hit | null;
  total: number;
  total_is_lower_bound: boolean;
}

export interface CopyIndex {
  readonly size: number;
  search(query: CenterQuery, paging: { limit: number; after: Hit | null }): FoundCopies;
}

/** Returns the facts of a copy that a search needs. */
export function toCopyFacts({ value: center, cached_at }: Cached<SportCenter>): CopyFacts {
  return {
    id: center.id,
    name_folded: foldText(center.name),
    city_folded: foldText(center.city ?? ''),
    text: searchTextOf(center),
    cached_at,
    indexed: {
      id: center.id,
      latitude: center.latitude,
      longitude: center.longitude,
      sports: center.sport_facilities.map(({ type }) => type),
      is_private: center.is_private,
      country: center.country,
      is_closed: center.closed_at !== null,
    },
  };
}

/** Indexes copies for searching: finds the same centers as the tests' `searchCenters`, in the same order. */
export function indexCopies(copies: Iterable<CopyFacts>): CopyIndex {
  const facts = [...copies].sort(compareByName);
  const index = buildCenterIndex(facts.map(({ indexed }) => indexed));
  let vocabulary: Vocabulary | undefined;
  const data = {
    facts,
    index,
    /** Built when a search first finds nothing as it was typed. */
    vocabularyOf: () => {
      vocabulary ??= createVocabulary(openWords(facts));
      return vocabulary;
    },
  };
  return { size: facts.length, search: (query, { limit, after }) => searchIndex(data, query, { limit, after }) };
}

function* openWords(facts: readonly CopyFacts[]): Generator<string> {
  for (const { text, indexed } of facts) if (!indexed.is_closed) yield* searchWords(text);
}

interface CopyIndexData {
  facts: readonly CopyFacts[];
  index: CenterIndex;
  vocabularyOf: () => Vocabulary;
}

function searchIndex(
  data: CopyIndexData,
  query: CenterQuery,
  { limit, after }: { limit: number; after: Hit | null },
): FoundCopies {
  const { facts, index } = data;
  const { hits, has_more, ...totals } = index.search(query, findTextMatches(data, query), {
    limit,
    ...(after ? { after } : {}),
  });
  const found = hits.flatMap(({ number, distance_km }) => {
    const copy = facts[number];
    return copy ? [{ id: copy.id, distance_km, cached_at: copy.cached_at }] : [];
  });
  return { found, next: has_more ? (hits.at(-1) ?? null) : null, ...totals };
}

/**
 * Returns the numbers of the open copies whose texts contain every word and the city, forgiving typing errors if none
 * does; undefined if the query has neither.
 */
function findTextMatches({ facts, vocabularyOf }: CopyIndexData, query: CenterQuery): Set<number> | undefined {
  const words = searchWords(query.q ?? '');
  const city = foldText(query.city ?? '');
  if (words.length === 0 && city === '') return undefined;
  const exact = findNumbers(
    facts,
    city,
    words.map((word) => [word]),
  );
  const choices = exact.size === 0 ? forgivingChoices(words, vocabularyOf()) : null;
  return choices ? findNumbers(facts, city, choices) : exact;
}

function findNumbers(facts: readonly CopyFacts[], city: string, choices: WordChoices): Set<number> {
  const numbers = new Set<number>();
  for (const [number, { text, city_folded, indexed }] of facts.entries()) {
    if (!indexed.is_closed && city_folded.includes(city) && hasWords(text, choices)) numbers.add(number);
  }
  return numbers;
}
