import { expect, test } from 'vitest';
import { rankChange } from './rank-change.ts';

test.each([
  [1, null, null],
  [1, 3, { direction: 'up', places: 2 }],
  [12, 11, { direction: 'down', places: 1 }],
  [4, 4, { direction: 'same', places: 0 }],
] as const)('rank %j after rank %j the week before is %j', (rank, previous, change) => {
  expect(rankChange(rank, previous)).toEqual(change);
});
