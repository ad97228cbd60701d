import { expect, test } from 'vitest';
import { isCurrentWeek } from './use-dashboard.ts';

test.each([
  ['2026-11-22T22:59:59Z', 'Europe/Madrid', true],
  ['2026-11-22T23:00:00Z', 'Europe/Madrid', false],
  ['2026-11-23T07:59:59Z', 'America/Los_Angeles', true],
  ['2026-11-15T12:00:00Z', 'UTC', false],
])('at %s the week 2026-W47 of a center in %s is the present one: %j', (now, time_zone, expected) => {
  expect(isCurrentWeek({ key: '2026-W47', time_zone }, Date.parse(now))).toBe(expected);
});
