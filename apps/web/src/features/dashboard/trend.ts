import type { TrendWeek } from '@sendlap/contract/stats.ts';

/** The best week fills the chart, but the goal's line is at two thirds at most: a first week has to look small. */
const GOAL_MAX_SHARE = 2 / 3;

/**
 * Returns the heights of the bars (one per week) and of the goal's line, in percent of the chart. A week without points
 * is 0.
 */
export function scaleTrend(weeks: readonly Pick<TrendWeek, 'points'>[], goal_points: number) {
  const top = Math.max(goal_points / GOAL_MAX_SHARE, ...weeks.map(({ points }) => points));
  const toPercent = (points: number) => (100 * Math.max(0, points)) / top;
  return { bars: weeks.map(({ points }) => toPercent(points)), goal: toPercent(goal_points) };
}
