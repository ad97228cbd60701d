import { createVocabulary, type Vocabulary } from '@sendlap/domain/search/vocabulary.ts';
import { searchWords } from '@sendlap/domain/sport-centers.ts';
import type { Database } from '#api/database/database.ts';
import { readWords } from './store.ts';

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
  const words = new Set<string>();
  for (const text of await readWords(database)) {
    for (const word of searchWords(text)) words.add(word);
    // Requests are served between the letters.
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return createVocabulary(words);
}
