import { expect, test } from 'vitest';
import { formatZonedDay, formatZonedMoment, formatZonedTime } from './format-times.ts';

const EVENING = Date.parse('2026-11-21T23:30:00Z');
const MADRID = 'Europe/Madrid';

test('time and day follow the center, not the tablet', () => {
  expect(formatZonedTime(EVENING, MADRID, 'en-GB')).toBe('0:30');
  expect(formatZonedTime(EVENING, 'America/New_York', 'es')).toBe('18:30');
  expect(formatZonedDay(EVENING, MADRID, 'en-GB')).toMatch(/^Sunday,? 22 November$/);
  expect(formatZonedDay(EVENING, 'America/New_York', 'es')).toBe('sábado, 21 de noviembre');
});

test('a moment of another day of the center says which', () => {
  const before_midnight = EVENING - 31 * 60_000;
  expect(formatZonedMoment(EVENING, EVENING, MADRID, 'en-GB')).toBe('0:30');
  expect(formatZonedMoment(before_midnight, EVENING, MADRID, 'en-GB')).toMatch(/^21 Nov,? 23:59$/);
});
