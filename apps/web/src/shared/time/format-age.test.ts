import { expect, test } from 'vitest';
import { formatAge } from './format-age.ts';

test('an age is minutes, then hours, then a date [spec 9.time.minutes, 9.time.hours, 9.time.date]', () => {
  // Local noon: dates are formatted in the device's zone.
  const now = new Date(2026, 10, 21, 12).getTime();
  expect(formatAge(now - 5_000, now, 'es')).toBe('ahora');
  expect(formatAge(now - 5 * 60_000, now, 'en')).toBe('5m ago');
  expect(formatAge(now - 3 * 3_600_000, now, 'en')).toBe('3h ago');
  expect(formatAge(now - 59 * 60_000 - 59_000, now, 'en-GB')).toBe('59m ago');
  expect(formatAge(now - 3_600_000, now, 'en')).toBe('1h ago');
  expect(formatAge(now - 24 * 3_600_000 + 1, now, 'en-US')).toBe('23h ago');
  expect(formatAge(now - 24 * 3_600_000, now, 'en')).toBe('Nov 20');
  expect(formatAge(now - 370 * 24 * 3_600_000, now, 'en')).toBe('Nov 16, 2025');
  expect(formatAge(now - 50 * 3_600_000, now, 'en')).toBe('Nov 19');
});
