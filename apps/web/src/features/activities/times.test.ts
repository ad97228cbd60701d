import { describe, expect, test } from 'vitest';
import { formatAge, formatMinutes, formatTimer } from './times.ts';

describe('the timer', () => {
  test.each([
    [-5, '0:00'],
    [7_999, '0:07'],
    [754_000, '12:34'],
    [3_723_000, '1:02:03'],
    [86_400_000, '24:00:00'],
  ])('%i ms reads %s', (elapsed_ms, text) => {
    expect(formatTimer(elapsed_ms)).toBe(text);
  });
});

test('minutes become hours in both languages', () => {
  expect(formatMinutes(45, 'en')).toBe('45 min');
  expect(formatMinutes(90, 'en')).toBe('1 hr 30 min');
  expect(formatMinutes(120, 'es')).toBe('2 h');
});

test('an age is minutes, then hours, then a date', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  expect(formatAge(now - 5_000, now, 'es')).toBe('ahora');
  expect(formatAge(now - 5 * 60_000, now, 'en')).toBe('5m ago');
  expect(formatAge(now - 3 * 3_600_000, now, 'en')).toBe('3h ago');
  expect(formatAge(now - 50 * 3_600_000, now, 'en')).toBe('Nov 19');
});
