import { describe, expect, test } from 'vitest';
import { adjacentPeriodKey, currentPeriodKey, isBoardKey, periodKey, recencyOf, weekMarker } from './periods.ts';

describe('steps from week to week and from season to season', () => {
  test('a year of 53 weeks has its last one, a year of 52 has none', () => {
    expect(adjacentPeriodKey('week', '2020-W53', -1)).toBe('2020-W52');
    expect(adjacentPeriodKey('week', '2020-W53', 1)).toBe('2021-W01');
    expect(adjacentPeriodKey('week', '2021-W01', -1)).toBe('2020-W53');
    expect(adjacentPeriodKey('week', '2025-W52', 1)).toBe('2026-W01');
  });

  test('the season after the fourth is the first of the next year', () => {
    expect(adjacentPeriodKey('season', '2026-Q4', 1)).toBe('2027-Q1');
    expect(adjacentPeriodKey('season', '2026-Q1', -1)).toBe('2025-Q4');
  });

  test('200 steps back and forth lead to where they began', () => {
    for (const [period, start] of [
      ['week', '2026-W53'],
      ['season', '2026-Q4'],
    ] as const) {
      const seen = new Set<string>();
      let key: string = start;
      for (let step = 0; step < 100; step++) {
        key = adjacentPeriodKey(period, key, -1);
        seen.add(key);
      }
      for (let step = 0; step < 100; step++) key = adjacentPeriodKey(period, key, 1);
      expect(key).toBe(start);
      expect(seen.size).toBe(100);
    }
  });

  test('a season that does not exist is no place to step from', () => {
    expect(() => adjacentPeriodKey('season', '2026-Q5', 1)).toThrow(RangeError);
    expect(() => adjacentPeriodKey('week', '2026-Q4', 1)).toThrow(RangeError);
  });
});

test('a week belongs to the season of its Thursday', () => {
  expect(periodKey('season', '2026-12-31')).toBe('2026-Q4');
  expect(periodKey('season', '2027-01-03')).toBe('2026-Q4');
  expect(periodKey('season', '2027-01-04')).toBe('2027-Q1');
});

test('this one and the last one have names, also over the turn of a year; the others don’t', () => {
  expect(recencyOf('week', '2027-W01', '2027-W01')).toBe('this');
  expect(recencyOf('week', '2026-W53', '2027-W01')).toBe('last');
  expect(recencyOf('week', '2026-W52', '2027-W01')).toBeNull();
  expect(recencyOf('season', '2026-Q4', '2027-Q1')).toBe('last');
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

describe('the present week', () => {
  const MONDAY_IN_LONDON = Date.parse('2026-11-23T01:00:00Z');

  test('is the server’s while the earth is in two weeks, whatever the zone of the phone', () => {
    const at = (zone: string, key: string | null, is_copy = false) =>
      currentPeriodKey('week', MONDAY_IN_LONDON, zone, key === null ? null : { key, is_copy });
    expect(at('America/Los_Angeles', '2026-W48')).toBe('2026-W48');
    expect(at('Pacific/Kiritimati', '2026-W47')).toBe('2026-W47');
    expect(at('America/Los_Angeles', null)).toBe('2026-W47');
    expect(at('Pacific/Kiritimati', null)).toBe('2026-W48');
    expect(at('Europe/Madrid', '2026-W47', true)).toBe('2026-W48');
    expect(at('America/Los_Angeles', '2026-W48', true)).toBe('2026-W48');
  });

  test('is no old answer once that week is over everywhere', () => {
    const tuesday = Date.parse('2026-11-24T12:00:00Z');
    expect(currentPeriodKey('week', tuesday, 'UTC', { key: '2026-W47', is_copy: false })).toBe('2026-W48');
    expect(currentPeriodKey('season', tuesday, 'UTC', { key: '2026-Q3', is_copy: false })).toBe('2026-Q4');
  });
});

describe('the boards are read again', () => {
  test('at no moment in the middle of a week', () => {
    expect(weekMarker(Date.parse('2026-11-17T00:00:00Z'))).toBe(weekMarker(Date.parse('2026-11-22T09:59:00Z')));
  });

  test.each([
    ['Kiritimati', '2026-11-22T10:00:00Z'],
    ['Kathmandu', '2026-11-22T18:15:00Z'],
    ['Madrid', '2026-11-22T23:00:00Z'],
    ['Los Angeles', '2026-11-23T08:00:00Z'],
  ])('when Monday begins in %s', (_, midnight) => {
    expect(weekMarker(Date.parse(midnight))).not.toBe(weekMarker(Date.parse(midnight) - 1000));
  });

  test('after the last zone’s Monday began', () => {
    expect(weekMarker(Date.parse('2026-11-23T12:00:00Z'))).toBe('2026-W48');
  });
});
