import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  canSharePresence,
  isAccurateEnough,
  isFreshLocation,
  isNearby,
  isPlausibleLocationTime,
  isPresent,
} from './locations.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const there = { presence: true, age: 30, distance_km: 0.02, located_at_ms: NOW - MINUTE_MS };

describe('no athlete is seen', () => {
  test('without presence switched on', () => {
    expect(isPresent({ ...there, presence: false }, NOW)).toBe(false);
  });

  test.each([0, 13, 15])('at the age of %i', (age) => {
    expect(isPresent({ ...there, age }, NOW)).toBe(false);
    expect(canSharePresence(age)).toBe(false);
  });

  test('with a location of two hours ago, to the millisecond', () => {
    const located_at_ms = NOW - 120 * MINUTE_MS;
    expect(isPresent({ ...there, located_at_ms }, NOW)).toBe(false);
    expect(isPresent({ ...there, located_at_ms: located_at_ms + 1 }, NOW)).toBe(true);
  });

  test('farther than 150 m from the center', () => {
    expect(isPresent({ ...there, distance_km: 0.1501 }, NOW)).toBe(false);
    expect(isPresent({ ...there, distance_km: 0.15 }, NOW)).toBe(true);
  });
});

test('an athlete of 16, or without a stated age, is seen', () => {
  expect(isPresent({ ...there, age: 16 }, NOW)).toBe(true);
  expect(isPresent({ ...there, age: null }, NOW)).toBe(true);
});

test('a position that is known to more than 150 m only says nothing about centers', () => {
  expect([100_000, 150.1, 150, 0, null].map(isAccurateEnough)).toEqual([false, false, true, true, true]);
});

test('nearby people are those within 100 m [spec 9.people.nearby-radius]', () => {
  expect([0, 0.0999, 0.1, 0.1001, 0.15].map(isNearby)).toEqual([true, true, true, false, false]);
});

test('a location may be from the last two hours, and five minutes ahead where a clock is', () => {
  const minutes = [-121, -120, -119, 0, 5, 6];
  expect(minutes.map((each) => isPlausibleLocationTime(NOW + each * MINUTE_MS, NOW))).toEqual([
    false,
    false,
    true,
    true,
    true,
    false,
  ]);
});

test('a location that stopped counting never counts again [property]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4 * 3_600_000 }), fc.nat(), (age_ms, later_ms) => {
      if (isFreshLocation(NOW - age_ms, NOW)) return;
      expect(isFreshLocation(NOW - age_ms, NOW + later_ms)).toBe(false);
    }),
  );
});
