import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { expect, test } from 'vitest';
import { center } from '#test/unit/fake-center.ts';
import { dropFarResults } from './use-center-search.ts';

const found = (...distances: (number | null)[]): FoundSportCenter[] =>
  distances.map((distance_km, number) => ({ ...center(number), distance_km }));

test('results over 1,000 km away are left out if a nearer one was found', () => {
  const items = found(2, 340, 1_000, 1_000.1, 10_054);
  expect(dropFarResults(items)).toEqual(items.slice(0, 3));
});

test('all is kept where nothing is nearer, nothing is farther, or no distance is known', () => {
  for (const items of [found(1_264, 10_054), found(2, 340), found(null, null), found()]) {
    expect(dropFarResults(items)).toBe(items);
  }
});
