import { isWithinTyposAt, maxTypos } from './typos.ts';

/** More similar words than this are not tried: each costs the database one look-up. */
export const MAX_CORRECTIONS = 20;

/** The words of many texts. */
export interface Vocabulary {
  /**
   * Returns the known words that a typed word may mean, sorted, at most MAX_CORRECTIONS: those with one typing error, or
   * else with two. Never the typed word itself.
   */
  corrections(typed: string): string[];
}

/** Collects words one at a time, so that the caller can pause in between. */
export interface VocabularyBuilder {
  add(word: string): void;
  finish(): Vocabulary;
}

/**
 * Collects distinct words: those of one first letter and length in one string, so that half a million words take a few
 * megabytes, and a typed word is compared with similar lengths only.
 */
export function createVocabularyBuilder(): VocabularyBuilder {
  const sets = new Map<string, Set<string>>();
  return {
    add(word) {
      const key = keyOf(word, word.length);
      const set = sets.get(key);
      if (set) set.add(word);
      else sets.set(key, new Set([word]));
    },
    finish: () => openVocabulary(new Map([...sets].map(([key, set]) => [key, [...set].join('')]))),
  };
}

export function createVocabulary(words: Iterable<string>): Vocabulary {
  const builder = createVocabularyBuilder();
  for (const word of words) builder.add(word);
  return builder.finish();
}

/** `joined`: the words by first letter and length. */
function openVocabulary(joined: ReadonlyMap<string, string>): Vocabulary {
  function wordsWithin(typed: string, limit: number): string[] {
    const found: string[] = [];
    for (let length = typed.length - limit; length <= typed.length + limit; length += 1) {
      const text = joined.get(keyOf(typed, length)) ?? '';
      for (let start = 0; start < text.length; start += length) {
        const end = start + length;
        if (!isWithinTyposAt({ typed, text, start, end }, limit)) continue;
        const word = text.slice(start, end);
        if (word !== typed) found.push(word);
      }
    }
    return found;
  }

  return {
    corrections(typed) {
      for (let limit = 1; limit <= maxTypos(typed); limit += 1) {
        const found = wordsWithin(typed, limit);
        if (found.length > 0) return found.sort().slice(0, MAX_CORRECTIONS);
      }
      return [];
    },
  };
}

function keyOf(word: string, length: number): string {
  return `${word.charAt(0)}${length}`;
}
