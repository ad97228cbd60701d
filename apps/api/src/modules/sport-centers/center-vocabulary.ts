import { createVocabularyBuilder, type Vocabulary } from '@sendlap/domain/search/vocabulary.ts';
import { searchWords } from '@sendlap/domain/sport-centers.ts';
import type { Database } from '#api/database/database.ts';
import { readWords } from './store.ts';

/** Requests are served between the slices. */
const WORDS_PER_SLICE = 1000;

/**
 * Returns the words of all open centers. They are read when a search first finds nothing as it was typed, and again
 * after the data changed; concurrent calls share one read.
 */
export function createVocabularyCache(database: Database): (version: string) => Promise<Vocabulary> {
  let cached: { version: string; vocabulary: Promise<Vocabulary> } | undefined;
  return (version) => {
    if (cached?.version === version) return cached.vocabulary;
    const vocabulary = readVocabulary(database);
    cached = { version, vocabulary };
    vocabulary.catch(() => {
      if (cached?.vocabulary === vocabulary) cached = undefined;
    });
    return vocabulary;
  };
}

async function readVocabulary(database: Database): Promise<Vocabulary> {
  const builder = createVocabularyBuilder();
  for (const text of await readWords(database)) {
    const parts = text.split(' ');
    for (let at = 0; at < parts.length; at += WORDS_PER_SLICE) {
      for (const word of searchWords(parts.slice(at, at + WORDS_PER_SLICE).join(' '))) builder.add(word);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }
  return builder.finish();
}
