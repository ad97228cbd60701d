import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseEvictions, TILE_BUDGET_BYTES, type TileFact, tileBudget } from './tile-budget.ts';

const tiles = fc.uniqueArray(
  fc.record<TileFact>({
    id: fc.string({ minLength: 1, maxLength: 6 }),
    pin_count: fc.constantFrom(0, 0, 0, 1, 2),
    cached_at: fc.integer({ min: 0, max: 50 }),
    bytes: fc.integer({ min: 0, max: 1000 }),
  }),
  { selector: ({ id }) => id, maxLength: 40 },
);
const budgets = fc.integer({ min: 0, max: 10_000 });
const incoming = fc.integer({ min: 0, max: 2000 });
const sum = (some: TileFact[]) => some.reduce((total, { bytes }) => total + bytes, 0);

test('a tile of a saved city never goes', () => {
  fc.assert(
    fc.property(tiles, budgets, incoming, (all, budget, more) => {
      const gone = new Set(chooseEvictions(all, budget, more));
      expect(all.filter(({ id, pin_count }) => gone.has(id) && pin_count > 0)).toEqual([]);
    }),
  );
});

test('nothing goes while everything fits', () => {
  fc.assert(
    fc.property(tiles, incoming, (all, more) => {
      expect(chooseEvictions(all, sum(all) + more, more)).toEqual([]);
    }),
  );
});

test('the remaining tiles fit, or are all pinned', () => {
  fc.assert(
    fc.property(tiles, budgets, incoming, (all, budget, more) => {
      const gone = new Set(chooseEvictions(all, budget, more));
      const left = all.filter(({ id }) => !gone.has(id));
      const is_loose_left = left.some(({ pin_count }) => pin_count === 0);
      expect(!is_loose_left || sum(left) + more <= budget).toBe(true);
    }),
  );
});

test('no tile goes before an older one', () => {
  fc.assert(
    fc.property(tiles, budgets, incoming, (all, budget, more) => {
      const gone = new Set(chooseEvictions(all, budget, more));
      const loose = all.filter(({ pin_count }) => pin_count === 0);
      const newest_gone = Math.max(-1, ...loose.filter(({ id }) => gone.has(id)).map(({ cached_at }) => cached_at));
      const oldest_left = Math.min(99, ...loose.filter(({ id }) => !gone.has(id)).map(({ cached_at }) => cached_at));
      expect(newest_gone).toBeLessThanOrEqual(oldest_left);
    }),
  );
});

test.each([
  [undefined, TILE_BUDGET_BYTES],
  [10 * 1024 ** 3, TILE_BUDGET_BYTES],
  [5_000_000, 500_000],
  [0, 0],
])('with a quota of %s bytes tiles may take %i', (quota, budget) => {
  expect(tileBudget(quota)).toBe(budget);
});
