import { expect, test } from 'vitest';
import { chooseSeeds } from '../apps/api/test/fuzz/fuzz-seeds.ts';

const kept = [{ seed: 7, requests: 300 }];
const options = { requests: 100, now: new Date('2026-11-30T23:59:00Z'), kept };

test.each(['tomorrow', '1,x', '1.5', 'NaN'])('A seed that is no number is refused: %s', (wanted) => {
  expect(() => chooseSeeds(wanted, options)).toThrow(`not "${wanted}"`);
});

test('Seeds that are asked for are played alone', () => {
  const asked = [17, 18].map((seed) => ({ seed, requests: 100 }));
  expect(chooseSeeds('17,18', options)).toEqual(asked);
});

test('The kept seeds are played before the usual one, and before that of the day', () => {
  expect(chooseSeeds(undefined, options)).toEqual([...kept, { seed: 1, requests: 100 }]);
  expect(chooseSeeds('today', options)).toEqual([...kept, { seed: 20_261_130, requests: 100 }]);
});
