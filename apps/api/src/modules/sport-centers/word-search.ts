import { NumberSet } from '@sendlap/center-index/number-set.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { maxTypos } from '@sendlap/domain/search/typos.ts';
import { type CenterQuery, forgivingChoices, searchWords, type WordChoices } from '@sendlap/domain/sport-centers.ts';
import { LRUCache } from 'lru-cache';
import { type Database, databaseErrorCode } from '#api/database/database.ts';
import { createConcurrencyLimit } from '#api/platform/concurrency-limit.ts';
import { AppError } from '#api/platform/errors.ts';
import { createVocabularyCache } from './center-vocabulary.ts';
import type { Snapshot } from './snapshot.ts';
import { findMatchingIds } from './store.ts';

/**
 * Concurrent statements; leaves connections of the pool for other requests. A call that would wait for long is refused
 * instead.
 */
const LIMITS = { max_running: 3, max_waiting: 10 };
const MAX_WAIT_MS = 2000;
const RETRY_AFTER_S = 2;
/** Cached results, 38 KB each with 300,000 centers: pages of a list and recent words. */
const MAX_CACHED = 32;
const UUID_LENGTH = 36;
const STATEMENT_TIMEOUT = '57014';

export type WordSearch = ReturnType<typeof createWordSearch>;

interface Search {
  numbers: Promise<NumberSet>;
  /** Signals of the waiting callers; undefined once the result is there, because signals retain their requests. */
  waiting_signals: (AbortSignal | undefined)[] | undefined;
}

/** Finds the centers that have the words and the city of a query: the database's part of a search. */
export function createWordSearch(database: Database, max_wait_ms = MAX_WAIT_MS) {
  const cached = new LRUCache<string, Search>({ max: MAX_CACHED });
  const runLimited = createConcurrencyLimit({ ...LIMITS, max_wait_ms, toRefusal: tooManySearches });
  const vocabularyOf = createVocabularyCache(database);

  function startSearch(snapshot: Snapshot, words: string[], city: string): Search {
    const waiting_signals: Search['waiting_signals'] = [];
    const isStillNeeded = () => !waiting_signals.every((signal) => signal?.aborted);
    const findLimited = (choices: WordChoices) =>
      runLimited(async () => toNumbers(snapshot, await findMatchingIds(database, choices, city)), isStillNeeded);
    // Deferred, so that the caller who starts it is registered first.
    const numbers = Promise.resolve().then(async () => {
      const typed = await findLimited(words.map((word) => [word]));
      if (typed.size > 0 || words.every((word) => maxTypos(word) === 0)) return typed;
      // Outside of the limit: exact searches do not wait for the words to be read.
      const choices = forgivingChoices(words, await vocabularyOf(snapshot.version));
      return choices ? await findLimited(choices) : typed;
    });
    const search: Search = { numbers, waiting_signals };
    const dropSignals = () => {
      search.waiting_signals = undefined;
    };
    numbers.then(dropSignals, dropSignals);
    return search;
  }

  return {
    /**
     * Returns undefined if the query has neither. Throws `unavailable` if there are too many calls, if a query is too
     * expensive, and if all callers of the same query have gone (`signal`) before its turn came.
     */
    async find(
      snapshot: Snapshot,
      { q = '', city = '' }: Pick<CenterQuery, 'q' | 'city'>,
      signal?: AbortSignal,
    ): Promise<NumberSet | undefined> {
      const words = [...new Set(searchWords(q))].sort();
      const city_part = foldText(city);
      if (words.length === 0 && city_part === '') return undefined;
      const key = JSON.stringify([snapshot.version, words, city_part]);
      const search = cached.get(key) ?? startSearch(snapshot, words, city_part);
      search.waiting_signals?.push(signal);
      cached.set(key, search);
      return await search.numbers.catch((error: unknown) => {
        if (cached.peek(key) === search) cached.delete(key);
        throw databaseErrorCode(error) === STATEMENT_TIMEOUT ? tooManySearches(error) : error;
      });
    },
  };
}

/** Yields to the event loop now and then: a single letter may match nearly all of a million centers. */
async function toNumbers({ index }: Snapshot, groups: readonly string[]): Promise<NumberSet> {
  const numbers = new NumberSet(index.size);
  let done = 0;
  for (const ids of groups) {
    for (let at = 0; at < ids.length; at += UUID_LENGTH) {
      const number = index.numberOf(ids.slice(at, at + UUID_LENGTH));
      if (number !== undefined) numbers.add(number);
    }
    done += ids.length / UUID_LENGTH;
    if (done < 2000) continue;
    done = 0;
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return numbers;
}

function tooManySearches(cause?: unknown): AppError {
  return new AppError('unavailable', 'Too many searches are running; try again in a moment', {
    cause,
    retry_after_s: RETRY_AFTER_S,
  });
}
