import { expect, test } from 'vitest';
import { formatSkill } from './format-skill.ts';

test.each([
  ['endurance', 62, 'en', '62 min'],
  ['volume', 4_800, 'en', '4,800'],
  ['volume', 14_800, 'es', '14.800'],
  ['intensity', 7.3, 'es', '7,3'],
  ['consistency', 1, 'en', '1 week'],
  ['consistency', 8, 'es', '8 semanas'],
  ['variety', 2, 'en', '2'],
  ['fair_play', 80, 'en', '80%'],
] as const)('%s measured as %d reads in %s: %s', (axis, measured, locale, text) => {
  expect(formatSkill(axis, measured, locale)).toBe(text);
});
