import { expect, test } from 'vitest';
import { findSportComparisons } from './sports.ts';

const SCREEN = 'apps/web/src/features/qr/Card.tsx';
const SPORTS = ['climbing', 'swimming'];

test.each([
  ["const icon = sport === 'climbing' ? 'mountain' : 'wave';", "=== 'climbing'"],
  ['if (sport_type !== "swimming") return;', '!== "swimming"'],
  ["if ('climbing' == sport) return;", "'climbing' =="],
  ["switch (sport) {\n  case 'swimming':\n}", "case 'swimming'"],
  ["types.includes('climbing')", "includes('climbing'"],
  ["sport ===\n  'swimming'", "=== 'swimming'"],
])('a comparison with the name of a sport is refused: %s', (code, found) => {
  const [problem, ...others] = findSportComparisons(SCREEN, `\n${code}`, SPORTS);
  expect(problem).toContain(`: ${found}: read a field`);
  expect(others).toEqual([]);
});

test.each(['apps/api/test/lives/model.ts', 'apps/web/gallery/examples/card.tsx', 'apps/web/build/chunks.ts'])(
  'helpers and models of tests, examples and builds may not compare: %s',
  (path) => {
    expect(findSportComparisons(path, "sport === 'climbing'", SPORTS)).toHaveLength(1);
  },
);

test('the problem names the line', () => {
  expect(findSportComparisons(SCREEN, "\n\nsport === 'climbing'", SPORTS)[0]).toMatch(/^3: /);
});

test.each([
  'packages/domain/src/sports/climbing.ts',
  'apps/web/src/shared/sports/sport-look.ts',
  'apps/api/src/modules/sport-centers/import/classify/classify-climbing.ts',
  'apps/api/src/modules/badges/badges.test.ts',
])('the sports themselves and tests may compare: %s', (path) => {
  expect(findSportComparisons(path, "sport === 'climbing'", SPORTS)).toEqual([]);
});

test('a value, a key or another word does not count as a comparison', () => {
  const code = "const start = { sport_type: 'climbing', 'climbing:indoor': 'yes' }; sport === 'climbing_gym';";
  expect(findSportComparisons(SCREEN, code, SPORTS)).toEqual([]);
});
