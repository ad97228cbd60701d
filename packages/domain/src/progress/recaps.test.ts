import { expect, test } from 'vitest';
import { type AthleteWeek, sumWeek } from './athlete-weeks.ts';
import { findBestWeek, sumWeeks } from './recaps.ts';

const week = (week_key: string, facts: Partial<AthleteWeek>): AthleteWeek => ({ ...sumWeek(week_key, []), ...facts });

test('weeks without an activity have no sums', () => {
  expect([sumWeeks([]), sumWeeks([week('2026-W10', {})])]).toEqual([null, null]);
});

test('points, days, activities and metres are added, of the sports that were done', () => {
  const first = week('2026-W10', { points: 355, days: 0b101, climbs: 2, longest_climb_minutes: 90 });
  expect(sumWeeks([first])).toEqual({
    points: 355,
    active_days: 2,
    sports: [{ sport_type: 'climbing', activities: 2, metres: null }],
  });
  const second = week('2026-W12', { points: 331, days: 0b1000001, climbs: 1, swims: 2, swum_m: 1500 });
  expect(sumWeeks([second, first])).toEqual({
    points: 686,
    active_days: 4,
    sports: [
      { sport_type: 'climbing', activities: 3, metres: null },
      { sport_type: 'swimming', activities: 2, metres: 1500 },
    ],
  });
});

test('a week of activities that all brought no points has sums too', () => {
  expect(sumWeeks([week('2026-W10', { days: 1, climbs: 1 })])).toMatchObject({ points: 0, active_days: 1 });
});

test('the best week has the most points, and of equal ones it is the earliest; none without points', () => {
  const keyOf = (...weeks: [string, number][]) =>
    findBestWeek(weeks.map(([week_key, points]) => ({ week_key, points })))?.week_key;
  expect(keyOf()).toBe(undefined);
  expect(keyOf(['2026-W10', 0])).toBe(undefined);
  expect(keyOf(['2026-W12', 600], ['2026-W11', 600], ['2026-W10', 599])).toBe('2026-W11');
});
