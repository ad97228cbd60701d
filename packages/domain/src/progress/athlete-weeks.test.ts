import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays, isoWeekKey, isoWeekRange } from '../dates.ts';
import { countActiveDays, sortWeeks, sumWeek, type WeekActivity, weekNumber } from './athlete-weeks.ts';

const MINUTE_MS = 60_000;

function activity(id: string, start: string, minutes: number, facts: Partial<WeekActivity> = {}): WeekActivity {
  const started_at = Date.parse(start);
  return {
    id,
    sport_type: 'climbing',
    sport_center_id: 'b',
    started_at,
    ended_at: started_at + minutes * MINUTE_MS,
    paused_s: 0,
    local_date: start.slice(0, 10),
    distance_m: null,
    points: 100,
    validation: 'referee',
    ...facts,
  };
}

describe('sumWeek', () => {
  test('a week without activities is all zero', () => {
    expect(sumWeek('2026-W47', [])).toEqual({
      week_key: '2026-W47',
      points: 0,
      days: 0,
      climbs: 0,
      swims: 0,
      swum_m: 0,
      longest_climb_minutes: 0,
      sport_center_ids: [],
      proofs: '',
    });
  });

  test('it counts sports, distance, days and centers, and lists the proofs in the order of the starts', () => {
    const swim = { sport_type: 'swimming' as const, distance_m: 1500, sport_center_id: 'a', points: 331 };
    const week = sumWeek('2026-W47', [
      activity('4', '2026-11-22T20:00:00Z', 45, { ...swim, validation: 'venue' }),
      activity('1', '2026-11-16T08:00:00Z', 90.9, { points: 355 }),
      activity('3', '2026-11-18T18:00:00Z', 30, { validation: 'peer' }),
      activity('2', '2026-11-16T18:00:00Z', 200, { ...swim, distance_m: null }),
    ]);
    expect(week).toEqual({
      week_key: '2026-W47',
      points: 355 + 331 + 100 + 331,
      // Monday, Wednesday and Sunday.
      days: 0b1000101,
      climbs: 2,
      swims: 2,
      swum_m: 1500,
      longest_climb_minutes: 90,
      sport_center_ids: ['a', 'b'],
      proofs: 'rrpv',
    });
    expect(countActiveDays(week)).toBe(3);
  });

  test('an activity under ten whole minutes counts for nothing', () => {
    const short = { points: 0, sport_center_id: 'a' };
    const swim = { ...short, sport_type: 'swimming' as const, distance_m: 900 };
    const empty = sumWeek('2026-W47', []);
    const shorts = [
      activity('1', '2026-11-16T08:00:00Z', 9.99, short),
      activity('2', '2026-11-17T08:00:00Z', 9.99, swim),
      activity('3', '2026-11-18T08:00:00Z', -1, short),
    ];
    expect(sumWeek('2026-W47', shorts)).toEqual(empty);
    const ten = sumWeek('2026-W47', [...shorts, activity('4', '2026-11-19T08:00:00Z', 10)]);
    expect(ten).toEqual(sumWeek('2026-W47', [activity('4', '2026-11-19T08:00:00Z', 10)]));
    expect(ten).toMatchObject({ days: 0b1000, climbs: 1, proofs: 'r', sport_center_ids: ['b'] });
  });

  test.each([
    [1399, 10, 1399],
    [1401, 10.99, 1400],
    [100_000, 60, 8400],
  ])('of %d m within %d minutes %d count', (distance_m, minutes, counted) => {
    const swim = activity('1', '2026-11-16T08:00:00Z', minutes, { sport_type: 'swimming', distance_m });
    expect(sumWeek('2026-W47', [swim]).swum_m).toBe(counted);
  });

  test('the same start is ordered by id, and the local date says the day', () => {
    const start = '2026-11-16T23:30:00Z';
    const tuesday = { local_date: '2026-11-17' };
    const week = sumWeek('2026-W47', [
      activity('b', start, 30, { ...tuesday, validation: 'peer' }),
      activity('a', start, 30, tuesday),
    ]);
    expect([week.proofs, week.days]).toEqual(['rp', 0b10]);
  });
});

describe('weekNumber', () => {
  test('by hand: the epoch, a year of 53 weeks and the week after it', () => {
    expect(weekNumber('1970-W01')).toBe(0);
    expect(weekNumber('1970-W02')).toBe(1);
    expect(weekNumber('2027-W01') - weekNumber('2026-W53')).toBe(1);
    expect(weekNumber('2026-W01') - weekNumber('2025-W52')).toBe(1);
  });

  test('its Monday is day 7 · number − 3 since the epoch', () => {
    const day = fc.integer({ min: Date.UTC(1980, 0, 1) / 86_400_000, max: Date.UTC(2099, 11, 31) / 86_400_000 });
    fc.assert(
      fc.property(day, (some) => {
        const key = isoWeekKey(addDays('1970-01-01', some));
        expect(addDays('1970-01-01', 7 * weekNumber(key) - 3)).toBe(isoWeekRange(key).starts_on);
      }),
    );
  });
});

test('weeks are sorted by their keys, across years too', () => {
  const keys = ['2026-W02', '2025-W52', '2026-W01'].map((week_key) => ({ week_key }));
  expect(sortWeeks(keys).map(({ week_key }) => week_key)).toEqual(['2025-W52', '2026-W01', '2026-W02']);
});
