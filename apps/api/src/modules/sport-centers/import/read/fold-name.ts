import { foldText } from '@sendlap/domain/names.ts';

/** A name for comparing: folded as in search, punctuation gone, words parted by one space (`Roc 14!` → `roc 14`). */
export function foldName(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
