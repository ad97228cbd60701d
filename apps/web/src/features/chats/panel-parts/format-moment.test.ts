import { expect, test } from 'vitest';
import { formatMoment, formatRelativeDay } from './format-moment.ts';

const at = (month: number, day: number, hour = 12, year = 2026) => new Date(year, month - 1, day, hour, 5).getTime();
const NOW = at(11, 22, 18);

test.each([
  ['en-GB', at(11, 22, 0), 'Today'],
  ['en-GB', at(11, 21, 23), 'Yesterday'],
  ['en-GB', at(11, 20), 'Friday 20 November'],
  ['en-GB', at(11, 20, 12, 2025), 'Thursday, 20 November 2025'],
  ['es', at(11, 22), 'Hoy'],
  ['es', at(11, 21), 'Ayer'],
  ['es', at(11, 20), 'Viernes, 20 de noviembre'],
])('the day in %s of %d is %s', (locale, moment, text) => {
  expect(formatRelativeDay(moment, NOW, locale)).toBe(text);
});

test.each([
  ['en-GB', at(11, 22, 9), '9:05'],
  ['es', at(11, 22, 9), '9:05'],
  ['en-GB', at(11, 21), 'Yesterday'],
  ['en-GB', at(11, 2), '2 Nov'],
  ['en-GB', at(11, 2, 12, 2024), '2 Nov 24'],
])('in a row of the list, in %s, %d is %s', (locale, moment, text) => {
  expect(formatMoment(moment, NOW, locale)).toBe(text);
});
