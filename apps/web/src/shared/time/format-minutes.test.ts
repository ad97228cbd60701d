import { expect, test } from 'vitest';
import { formatDuration, formatMinutes, formatPause } from './format-minutes.ts';

test.each([
  [9, 'en', '9 min'],
  [60, 'en', '1 hr'],
  [90, 'en', '1 hr 30 min'],
  [95, 'es', '1 h 35 min'],
  [120, 'es', '2 h'],
])('%i minutes are written in %s as %s', (minutes, locale, text) => {
  expect(formatMinutes(minutes, locale).replaceAll('\u00a0', ' ')).toBe(text);
});

test.each([
  [0, 'en', '<1 min'],
  [0, 'es', '<1 min'],
  [1, 'en', '1 min'],
])('an activity of %i whole minutes lasted, in %s, %s', (minutes, locale, text) => {
  expect(formatDuration(minutes, locale).replaceAll('\u00a0', ' ')).toBe(text);
});

test.each([
  [1, '<1 min'],
  [59, '<1 min'],
  [60, '1 min'],
  [61, '2 min'],
])('a pause of %i s is written as %s', (paused_s, text) => {
  expect(formatPause(paused_s, 'es').replaceAll('\u00a0', ' ')).toBe(text);
});
