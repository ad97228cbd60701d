/** Letters of the shortest words that may have one typing error, and two. */
const ONE_TYPO_LENGTH = 5;
const TWO_TYPOS_LENGTH = 8;

/** Returns how many typing errors a typed word may have: none in a short one, where every error makes another word. */
export function maxTypos(typed: string): number {
  if (typed.length >= TWO_TYPOS_LENGTH) return 2;
  return typed.length >= ONE_TYPO_LENGTH ? 1 : 0;
}

/**
 * Returns whether `known` becomes `typed` by at most `limit` typing errors: a wrong, a missing or an extra letter, or
 * two neighbours swapped (optimal string alignment). The first letter must be right: this saves most comparisons.
 */
export function isWithinTypos(typed: string, known: string, limit: number): boolean {
  return isWithinTyposAt({ typed, text: known, start: 0, end: known.length }, limit);
}

/** A typed word and a known word, which is the part of a longer text from `start` to `end`. */
export interface WordPair {
  typed: string;
  text: string;
  start: number;
  end: number;
}

/** Like `isWithinTypos`, without a copy of the known word. */
export function isWithinTyposAt({ typed, text, start, end }: WordPair, limit: number): boolean {
  if (typed === '' || start === end) return typed === '' && start === end;
  if (typed.charCodeAt(0) !== text.charCodeAt(start)) return false;
  return canAlign(1, start + 1, limit);

  /** Tries each error where the words first differ: at most 4 to the power of `limit` tries. */
  function canAlign(from: number, known_from: number, left: number): boolean {
    let [i, j] = [from, known_from];
    while (i < typed.length && j < end && typed.charCodeAt(i) === text.charCodeAt(j)) {
      i += 1;
      j += 1;
    }
    const [rest, known_rest] = [typed.length - i, end - j];
    if (rest === 0 || known_rest === 0) return rest + known_rest <= left;
    if (left === 0 || Math.abs(rest - known_rest) > left) return false;
    const isSwapped =
      rest > 1 &&
      known_rest > 1 &&
      typed.charCodeAt(i) === text.charCodeAt(j + 1) &&
      typed.charCodeAt(i + 1) === text.charCodeAt(j);
    return (
      (isSwapped && canAlign(i + 2, j + 2, left - 1)) ||
      canAlign(i + 1, j + 1, left - 1) ||
      canAlign(i + 1, j, left - 1) ||
      canAlign(i, j + 1, left - 1)
    );
  }
}
