import { expect, test } from 'vitest';
import { formatMinutes } from './format-minutes.ts';

test.each([
  [9, 'en', '9 min'],
  [60, 'en', '1 hr'],
  [90, 'en', '1 hr 30 min'],
  [95, 'es', '1 h 35 min'],
  [120, 'es', '2 h'],
])('%i minutes are written in %s as %s', (minutes, locale, text) => {
  expect(formatMinutes(minutes, locale).replaceAll('\u00a0', ' ')).toBe(text);
});
