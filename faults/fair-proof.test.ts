import { expect, test } from 'vitest';
import { isBelowOnePerson, type PlayedCheat } from '../apps/api/test/fair-proof/cheat-outcome.ts';
import { liveHonestly } from '../apps/api/test/fair-proof/honest-weeks.ts';

const refused = (...options: Parameters<typeof liveHonestly>) =>
  [...liveHonestly(...options).values()].reduce((sum, tally) => sum + tally.refused, 0);

test('no rule refuses an honest club, and clocks a minute off are refused', () => {
  expect(refused(390, 1)).toBe(0);
  expect(refused(130, 1, { clock_error_ms: 60_000 })).toBeGreaterThan(0);
});

test.each<[string, { public: number; people: number; rights: number }, boolean]>([
  ['no one at the center and nothing gained', { public: 0, people: 0, rights: 0 }, false],
  ['one person for each activity', { public: 3, people: 3, rights: 0 }, false],
  ['one person for several accounts', { public: 5, people: 1, rights: 0 }, true],
  ['a right that is misused', { public: 2, people: 0, rights: 1 }, false],
])('a cheat with %s', (_name, { public: reached, ...cost }, is_below) => {
  const cheat = { public: reached, cost: { codes_read: 6, ...cost } } as PlayedCheat;
  expect(isBelowOnePerson(cheat)).toBe(is_below);
});
