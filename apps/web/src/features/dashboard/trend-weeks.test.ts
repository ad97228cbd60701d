import { addDays, isoWeekKey } from '@sendlap/domain/dates.ts';
import { describe, expect, test } from 'vitest';
import { type LocalWeeks, mergeTrend, scaleTrend } from './trend-weeks.ts';

/** Weeks up to 2026-W47, with these validated points and 7 unconfirmed ones each. */
function trendOf(...points: number[]) {
  const weeks = points.map((value, index) => {
    const starts_on = addDays('2026-11-16', 7 * (index + 1 - points.length));
    return { key: isoWeekKey(starts_on), starts_on, points: value, unconfirmed_points: 7 };
  });
  return { weeks };
}

function localOf(facts: Partial<LocalWeeks> = {}): LocalWeeks {
  const current = { points: 0, unconfirmed: 0, waiting: 0 };
  return { current_key: '2026-W47', current, by_week: new Map(), newest_partial_key: null, ...facts };
}

describe('mergeTrend', () => {
  test('a trend without weeks stays empty', () => {
    expect(mergeTrend({ weeks: [] }, localOf())).toEqual([]);
  });

  test("unconfirmed points are the device's alone, so that a sent activity is not summed twice", () => {
    const by_week = new Map([['2026-W46', { validated: 50, unconfirmed: 331, waiting: 0 }]]);
    expect(mergeTrend(trendOf(10, 20, 30), localOf({ by_week }))).toMatchObject([
      { key: '2026-W45', points: 10, unconfirmed: 0 },
      { key: '2026-W46', points: 20, unconfirmed: 331 },
      { key: '2026-W47', points: 0, unconfirmed: 0 },
    ]);
  });

  test("in weeks of which the device may lack activities they are the server's", () => {
    const by_week = new Map(
      ['2026-W45', '2026-W46'].map((key) => [key, { validated: 0, unconfirmed: 3, waiting: 0 }] as const),
    );
    const shown = mergeTrend(trendOf(10, 20, 30), localOf({ by_week, newest_partial_key: '2026-W45' }));
    expect(shown.map(({ unconfirmed }) => unconfirmed)).toEqual([7, 3, 0]);
  });

  test('the current week equals the ring, also if the copy of the trend is older', () => {
    const current = { points: 100, unconfirmed: 355, waiting: 355 };
    const by_week = new Map([['2026-W48', { validated: 60, unconfirmed: 9, waiting: 0 }]]);
    expect(mergeTrend(trendOf(10, 20, 30), localOf({ current_key: '2026-W49', current, by_week }))).toEqual([
      { key: '2026-W47', starts_on: '2026-11-16', points: 30, unconfirmed: 0, waiting: 0 },
      { key: '2026-W48', starts_on: '2026-11-23', points: 60, unconfirmed: 9, waiting: 0 },
      { key: '2026-W49', starts_on: '2026-11-30', ...current },
    ]);
  });
});

describe('scaleTrend', () => {
  const weeks = (...points: [points: number, unconfirmed: number][]) =>
    points.map(([value, unconfirmed]) => ({ points: value, unconfirmed }));

  test('weeks below the goal leave its line at two thirds of the chart', () => {
    const { bars, goal } = scaleTrend(weeks([0, 0], [300, 0], [300, 300]), 600);
    expect(goal).toBeCloseTo(66.67, 1);
    expect(bars.map(({ solid, all }) => [Math.round(solid), Math.round(all)])).toEqual([
      [0, 0],
      [33, 33],
      [33, 67],
    ]);
  });

  test('the best week, with its unconfirmed points, fills the chart and the line sinks with it', () => {
    const { bars, goal } = scaleTrend(weeks([1_200, 0], [600, 1_800]), 600);
    expect(goal).toBe(25);
    expect(bars).toEqual([
      { solid: 50, all: 50 },
      { solid: 25, all: 100 },
    ]);
  });

  test('points that were taken away leave no bar', () => {
    expect(scaleTrend(weeks([-20, 0], [0, 0]), 600).bars).toEqual([
      { solid: 0, all: 0 },
      { solid: 0, all: 0 },
    ]);
  });
});
