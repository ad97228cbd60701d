import type { TrendWeek } from '@sendlap/contract/stats.ts';

/** Heights in percent of the chart. */
export interface TrendScale {
  /** One of each week, in their order. */
  bars: number[];
  /** Where the line of the weekly goal stands. */
  goal: number;
}

/** The best week fills the chart, but the goal's line stands at two thirds at the most: a first week has to look small. */
const GOAL_MAX_SHARE = 2 / 3;

/** How high the bars and the goal's line stand. Points of a week without anything are 0. */
export function scaleTrend(weeks: readonly Pick<TrendWeek, 'points'>[], goal_points: number): TrendScale {
  const top = Math.max(goal_points / GOAL_MAX_SHARE, ...weeks.map(({ points }) => points));
  const toPercent = (points: number) => (100 * Math.max(0, points)) / top;
  return { bars: weeks.map(({ points }) => toPercent(points)), goal: toPercent(goal_points) };
}
