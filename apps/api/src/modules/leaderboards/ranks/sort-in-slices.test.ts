import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createYielder, sortInSlices } from './sort-in-slices.ts';

describe('sortInSlices', () => {
  it('sorts as the language does, for lengths around its runs and slices', async () => {
    const lengths = fc.oneof(fc.nat(40), fc.constantFrom(2047, 2048, 2049, 4096, 5000, 9001));
    await fc.assert(
      fc.asyncProperty(lengths, fc.integer(), async (length, seed) => {
        const keys = Uint32Array.from({ length }, (_, index) => Math.imul(index + 1, seed | 1) >>> 0);
        const numbers = Uint32Array.from({ length }, (_, index) => index);
        const keyOf = (number: number) => (keys[number] ?? 0) % 500;
        const compareTied = (one: number, other: number) => (keys[one] ?? 0) - (keys[other] ?? 0) || one - other;
        const sorted = numbers.slice().sort((one, other) => keyOf(one) - keyOf(other) || compareTied(one, other));
        expect(await sortInSlices(numbers, { keyOf, compareTied }, createYielder())).toEqual(sorted);
      }),
      { numRuns: 60 },
    );
  });

  it('lets others have their turn', async () => {
    const length = 300_000;
    const numbers = Uint32Array.from({ length }, (_, index) => Math.imul(index, 0x9e3779b1) >>> 0);
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    await sortInSlices(numbers, { keyOf: (number) => number, compareTied: () => 0 }, createYielder());
    clearImmediate(next);
    expect(turns).toBeGreaterThan(1);
  });
});
