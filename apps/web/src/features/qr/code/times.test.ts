import { expect, test } from 'vitest';
import { daysAgo, formatElapsed, formatMetres } from './times.ts';

test.each([
  [9, 'en', '9 min'],
  [60, 'en', '1 hr 0 min'],
  [95, 'es', '1 h 35 min'],
])('%i minutes are written in %s as %s', (minutes, language, text) => {
  expect(formatElapsed(minutes, language).replaceAll('\u00a0', ' ')).toBe(text);
});

test('metres are grouped as the language does', () => {
  expect(formatMetres(2000, 'en')).toBe('2,000 m');
  expect(formatMetres(12_000, 'es').replaceAll('\u00a0', ' ')).toBe('12.000 m');
});

test('yesterday begins at midnight, not 24 hours ago', () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
  expect(daysAgo(at(21, 1), at(21, 23))).toBe(0);
  expect(daysAgo(at(20, 23), at(21, 0))).toBe(1);
});
