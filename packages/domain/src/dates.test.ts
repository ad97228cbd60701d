import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  isoWeekAt,
  isoWeekKey,
  isoWeekRange,
  isoWeekWorldwide,
  isTimeZone,
  latestDate,
  localDate,
  relativeTime,
  seasonKey,
  seasonRange,
} from './dates.ts';

const anyDate = fc
  .integer({ min: Date.UTC(1990, 0, 1) / 86_400_000, max: Date.UTC(2060, 0, 1) / 86_400_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

describe('localDate', () => {
  test('it refuses an unknown zone', () => {
    expect(() => localDate(0, 'Europe/Atlantis')).toThrow(RangeError);
  });

  test('the same moment has another date in another zone', () => {
    const moment = Date.UTC(2026, 10, 22, 23, 30);
    expect(localDate(moment, 'UTC')).toBe('2026-11-22');
    expect(localDate(moment, 'Europe/Madrid')).toBe('2026-11-23');
    expect(localDate(moment, 'America/Los_Angeles')).toBe('2026-11-22');
    expect(localDate(moment, 'Pacific/Kiritimati')).toBe('2026-11-23');
  });

  test('summer time moves midnight', () => {
    expect(localDate(Date.UTC(2026, 6, 1, 22, 0), 'Europe/Madrid')).toBe('2026-07-02');
    expect(localDate(Date.UTC(2026, 6, 1, 21, 59), 'Europe/Madrid')).toBe('2026-07-01');
    expect(localDate(Date.UTC(2026, 11, 1, 22, 59), 'Europe/Madrid')).toBe('2026-12-01');
    expect(localDate(Date.UTC(2026, 11, 1, 23, 0), 'Europe/Madrid')).toBe('2026-12-02');
  });

  test('in UTC it is the beginning of the ISO form', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4_102_444_800_000 }),
        (moment) => localDate(moment, 'UTC') === new Date(moment).toISOString().slice(0, 10),
      ),
    );
  });
});

describe('isTimeZone', () => {
  test.each(['', 'Europe/Atlantis', '+01:00', 'Madrid', 7, null])('refuses %j', (zone) => {
    expect(isTimeZone(zone)).toBe(false);
  });

  test.each(['UTC', 'Europe/Madrid', 'America/Argentina/Buenos_Aires', 'Asia/Kathmandu'])('takes %s', (zone) => {
    expect(isTimeZone(zone)).toBe(true);
  });
});

describe('addDays', () => {
  test.each(['2026-02-30', '2026-1-1', '2026-13-01', 'today', '2026-01-01T00:00:00Z', ''])('refuses %j', (date) => {
    expect(() => addDays(date, 1)).toThrow(RangeError);
  });

  test('it knows leap years and goes back', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  });
});

describe('ISO weeks', () => {
  test.each(['2025-W53', '2026-W00', '2026-W54', '2026-47', '2026-W7', 'W47', ''])('isoWeekRange refuses %j', (key) => {
    expect(() => isoWeekRange(key)).toThrow(RangeError);
    expect(() => seasonKey(key)).toThrow(RangeError);
  });

  // Known values of ISO 8601 around new year.
  test.each([
    ['2026-11-21', '2026-W47'],
    ['2025-12-28', '2025-W52'],
    ['2025-12-29', '2026-W01'],
    ['2026-12-31', '2026-W53'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2021-01-03', '2020-W53'],
    ['2023-01-01', '2022-W52'],
    ['2024-12-30', '2025-W01'],
  ])('%s is in %s', (date, key) => {
    expect(isoWeekKey(date)).toBe(key);
  });

  test('a week goes from Monday to Sunday', () => {
    expect(isoWeekRange('2026-W47')).toEqual({ starts_on: '2026-11-16', ends_on: '2026-11-22' });
    expect(isoWeekRange('2026-W53')).toEqual({ starts_on: '2026-12-28', ends_on: '2027-01-03' });
  });

  test('every date is in the range of its own week, and the week before ends the day before', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const key = isoWeekKey(date);
        const { starts_on, ends_on } = isoWeekRange(key);
        expect(starts_on <= date && date <= ends_on).toBe(true);
        expect(new Date(starts_on).getUTCDay()).toBe(1);
        expect(addDays(starts_on, 6)).toBe(ends_on);
        expect(isoWeekKey(addDays(starts_on, -1))).not.toBe(key);
        expect(isoWeekKey(addDays(ends_on, 1))).not.toBe(key);
      }),
    );
  });
});

describe('the present week', () => {
  // From Sunday morning to Monday noon in UTC, around summer time, new year, and in week 53.
  test.each([
    ['2026-11-22', '2026-11-23', '2026-W47', '2026-W48'],
    ['2026-03-29', '2026-03-30', '2026-W13', '2026-W14'],
    ['2026-10-25', '2026-10-26', '2026-W43', '2026-W44'],
    ['2026-12-27', '2026-12-28', '2026-W52', '2026-W53'],
    ['2027-01-03', '2027-01-04', '2026-W53', '2027-W01'],
  ])(
    'is one until the first place leaves Sunday %s, and again once the last one has entered Monday %s',
    (sunday, monday, before, after) => {
      expect(isoWeekWorldwide(Date.parse(`${sunday}T09:59:59.999Z`))).toBe(before);
      expect(isoWeekWorldwide(Date.parse(`${sunday}T10:00:00Z`))).toBeUndefined();
      expect(isoWeekAt(Date.parse(`${sunday}T10:00:00Z`), 'Pacific/Kiritimati')).toBe(after);
      expect(isoWeekAt(Date.parse(`${sunday}T10:00:00Z`), 'Europe/Madrid')).toBe(before);
      expect(isoWeekWorldwide(Date.parse(`${monday}T11:59:59.999Z`))).toBeUndefined();
      expect(isoWeekAt(Date.parse(`${monday}T11:59:59.999Z`), 'Etc/GMT+12')).toBe(before);
      expect(isoWeekAt(Date.parse(`${monday}T10:00:00Z`), 'Europe/Madrid')).toBe(after);
      expect(isoWeekWorldwide(Date.parse(`${monday}T12:00:00Z`))).toBe(after);
    },
  );

  test('begins at midnight of the zone, also when the clocks change that night', () => {
    expect(isoWeekAt(Date.parse('2026-03-29T21:59:59Z'), 'Europe/Madrid')).toBe('2026-W13');
    expect(isoWeekAt(Date.parse('2026-03-29T22:00:00Z'), 'Europe/Madrid')).toBe('2026-W14');
    expect(isoWeekAt(Date.parse('2026-10-25T22:59:59Z'), 'Europe/Madrid')).toBe('2026-W43');
    expect(isoWeekAt(Date.parse('2026-10-25T23:00:00Z'), 'Europe/Madrid')).toBe('2026-W44');
  });

  test('a week that is the same everywhere on earth is the same in any zone', () => {
    const zones = ['Etc/GMT+12', 'America/Los_Angeles', 'UTC', 'Europe/Madrid', 'Asia/Kathmandu', 'Pacific/Kiritimati'];
    fc.assert(
      fc.property(
        fc.integer({ min: 946_684_800_000, max: 4_102_444_800_000 }),
        fc.constantFrom(...zones),
        (at, zone) => {
          const week = isoWeekWorldwide(at);
          if (week !== undefined) expect(isoWeekAt(at, zone)).toBe(week);
          expect(localDate(at, zone) <= latestDate(at)).toBe(true);
        },
      ),
    );
    expect(latestDate(Date.parse('2026-12-31T10:00:00Z'))).toBe('2027-01-01');
    expect(latestDate(Date.parse('2026-12-31T09:59:59Z'))).toBe('2026-12-31');
  });
});

describe('seasons', () => {
  test.each(['2026-Q0', '2026-Q5', '2026Q1', '2026-W01', ''])('seasonRange refuses %j', (key) => {
    expect(() => seasonRange(key)).toThrow(RangeError);
  });

  test('a week belongs to the quarter of its Thursday', () => {
    expect(seasonKey('2026-W47')).toBe('2026-Q4');
    // Monday 28 September, Thursday 1 October
    expect(seasonKey('2026-W40')).toBe('2026-Q4');
    expect(seasonKey('2026-W39')).toBe('2026-Q3');
    // Monday 29 December 2025, Thursday 1 January 2026
    expect(seasonKey('2026-W01')).toBe('2026-Q1');
    expect(seasonKey('2026-W53')).toBe('2026-Q4');
  });

  test('a season is made of whole weeks', () => {
    expect(seasonRange('2026-Q4')).toEqual({ starts_on: '2026-09-28', ends_on: '2027-01-03' });
    expect(seasonRange('2026-Q1')).toEqual({ starts_on: '2025-12-29', ends_on: '2026-03-29' });
  });

  test('every week is in the range of its season, and seasons follow each other without a gap', () => {
    fc.assert(
      fc.property(anyDate, (date) => {
        const season = seasonRange(seasonKey(isoWeekKey(date)));
        expect(season.starts_on <= date && date <= season.ends_on).toBe(true);
        const next = addDays(season.ends_on, 1);
        expect(seasonRange(seasonKey(isoWeekKey(next))).starts_on).toBe(next);
      }),
    );
  });
});

test('relative time counts minutes, then hours, then gives the date', () => {
  const now = 1_800_000_000_000;
  const minute = 60_000;
  expect(relativeTime(now + 5000, now)).toEqual({ unit: 'minutes', value: 0 });
  expect(relativeTime(now - 59_999, now)).toEqual({ unit: 'minutes', value: 0 });
  expect(relativeTime(now - 60 * minute + 1, now)).toEqual({ unit: 'minutes', value: 59 });
  expect(relativeTime(now - 60 * minute, now)).toEqual({ unit: 'hours', value: 1 });
  expect(relativeTime(now - 1440 * minute + 1, now)).toEqual({ unit: 'hours', value: 23 });
  expect(relativeTime(now - 1440 * minute, now)).toEqual({ unit: 'date', value: now - 1440 * minute });
});
