import { describe, expect, test } from 'vitest';
import { isBoardKey, keyOf, nearnessOf, stepKey } from './periods.ts';

describe('steps from week to week and from season to season', () => {
  test('a year of 53 weeks has its last one, a year of 52 has none', () => {
    expect(stepKey('week', '2020-W53', -1)).toBe('2020-W52');
    expect(stepKey('week', '2020-W53', 1)).toBe('2021-W01');
    expect(stepKey('week', '2021-W01', -1)).toBe('2020-W53');
    expect(stepKey('week', '2025-W52', 1)).toBe('2026-W01');
  });

  test('the season after the fourth is the first of the next year', () => {
    expect(stepKey('season', '2026-Q4', 1)).toBe('2027-Q1');
    expect(stepKey('season', '2026-Q1', -1)).toBe('2025-Q4');
  });

  test('200 steps back and forth lead to where they began', () => {
    for (const [period, start] of [
      ['week', '2026-W53'],
      ['season', '2026-Q4'],
    ] as const) {
      const seen = new Set<string>();
      let key: string = start;
      for (let step = 0; step < 100; step++) {
        key = stepKey(period, key, -1);
        seen.add(key);
      }
      for (let step = 0; step < 100; step++) key = stepKey(period, key, 1);
      expect(key).toBe(start);
      expect(seen.size).toBe(100);
    }
  });

  test('a season that does not exist is no place to step from', () => {
    expect(() => stepKey('season', '2026-Q5', 1)).toThrow(RangeError);
    expect(() => stepKey('week', '2026-Q4', 1)).toThrow(RangeError);
  });
});

test('a season is that of the week’s Thursday', () => {
  expect(keyOf('season', '2026-12-31')).toBe('2026-Q4');
  expect(keyOf('season', '2027-01-03')).toBe('2026-Q4');
  expect(keyOf('season', '2027-01-04')).toBe('2027-Q1');
});

test('this one and the last one have names, also over the turn of a year; the others don’t', () => {
  expect(nearnessOf('week', '2027-W01', '2027-01-04')).toBe('this');
  expect(nearnessOf('week', '2026-W53', '2027-01-04')).toBe('last');
  expect(nearnessOf('week', '2026-W52', '2027-01-04')).toBeNull();
  expect(nearnessOf('season', '2026-Q4', '2027-01-04')).toBe('last');
});

test('a board is of a week that has begun somewhere, and is no older than the app', () => {
  const is = (key: string) => isBoardKey('week', key, '2026-11-21');
  expect(['2026-W47', '2026-W01', '2020-W53', '2026-W48', '2021-W53', '2019-W52', '2026-Q4', ''].map(is)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
