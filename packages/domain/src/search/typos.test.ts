import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isWithinTypos, maxTypos } from './typos.ts';
import { createVocabulary, MAX_CORRECTIONS } from './vocabulary.ts';

/** Few letters, so that words are often similar. */
const word = fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1, maxLength: 10 });

/** Optimal string alignment, by the book. */
function distanceOf(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i += 1) {
    for (let j = 1; j <= b.length; j += 1) {
      const isEqual = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isEqual ? 0 : 1));
      rows[i]?.splice(j, 1, isSwapped ? Math.min(least, at(i - 2, j - 2) + 1) : least);
    }
  }
  return at(a.length, b.length);
}

test.each([
  ['a wrong first letter', 'viscina', 'piscina', 2],
  ['swapped first letters', 'ipscina', 'piscina', 2],
  ['two errors where one is allowed', 'pisna', 'piscina', 1],
  ['a word twice as long', 'pis', 'piscina', 2],
  ['no word at all', '', 'a', 2],
])('%s is not forgiven', (_, typed, known, limit) => {
  expect(isWithinTypos(typed, known, limit)).toBe(false);
});

test.each([
  ['a missing letter', 'piscna'],
  ['an extra letter', 'pisscina'],
  ['a wrong letter', 'pizcina'],
  ['two letters swapped', 'pisicna'],
  ['nothing wrong', 'piscina'],
])('%s is forgiven', (_, typed) => {
  expect(isWithinTypos(typed, 'piscina', 1)).toBe(true);
});

test('the longer a word is, the more errors it may have', () => {
  expect(['pool', 'piscn', 'piscina', 'natacion'].map(maxTypos)).toEqual([0, 1, 1, 2]);
});

test('errors are counted as optimal string alignment counts them', () => {
  fc.assert(
    fc.property(word, word, fc.nat(2), (typed, known, limit) => {
      const expected = typed[0] === known[0] && distanceOf(typed, known) <= limit;
      expect(isWithinTypos(typed, known, limit)).toBe(expected);
    }),
    { numRuns: 2000 },
  );
});

describe('a vocabulary', () => {
  test('corrects no short word, and none to itself', () => {
    const { corrections } = createVocabulary(['pool', 'pooll', 'poolsx', 'bilbao']);
    expect(corrections('pool')).toEqual([]);
    expect(corrections('bilbao')).toEqual([]);
    expect(corrections('')).toEqual([]);
  });

  test('prefers words with one error to words with two', () => {
    const { corrections } = createVocabulary(['natacion', 'natacio', 'notacion', 'natac']);
    expect(corrections('natacoin')).toEqual(['natacion']);
    expect(corrections('natazoin')).toEqual(['natacion']);
    expect(corrections('zatacion')).toEqual([]);
  });

  test('finds the same words as a walk over all of them, sorted, no more than the first twenty', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 200 }), word, (words, typed) => {
        const others = [...new Set(words)].filter((known) => known !== typed).sort();
        const within = (limit: number) =>
          limit > maxTypos(typed) ? [] : others.filter((known) => isWithinTypos(typed, known, limit));
        const expected = within(1).length > 0 ? within(1) : within(2);
        expect(createVocabulary(words).corrections(typed)).toEqual(expected.slice(0, MAX_CORRECTIONS));
      }),
    );
  });
});
