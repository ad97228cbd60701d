import { expect, test } from 'vitest';
import { streakDots } from './streak-dots.ts';

test.each([
  [0, 1, ['open']],
  [0, 3, ['open', 'open', 'open']],
  [2, 3, ['done', 'done', 'open']],
  [3, 3, ['done', 'done', 'done']],
  [5, 3, ['done', 'done', 'done', 'extra', 'extra']],
] as const)('%i active days of %i are the dots %j', (days, target, dots) => {
  expect(streakDots(days, target)).toEqual(dots.map((look, index) => ({ day: index + 1, look })));
});
