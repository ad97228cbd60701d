import { foldText } from '@sendlap/domain/names.ts';

/** Normalises a name for comparison: folded as in search, without punctuation, single spaces (`Roc 14!` → `roc 14`). */
export function foldName(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
