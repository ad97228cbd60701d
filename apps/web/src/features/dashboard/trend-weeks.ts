import type { Trend, TrendWeek } from '@sendlap/contract/stats.ts';
import { addDays, isoWeekKey, isoWeekRange } from '@sendlap/domain/dates.ts';

/** The goal's line is at two thirds of the chart at most: a first week has to look small. */
const GOAL_MAX_SHARE = 2 / 3;

/** The points of a week, as the ring and the trend show them. */
export interface WeekFigures {
  /** Validated points. */
  points: number;
  /** Points of activities without a proof, which count nowhere. */
  unconfirmed: number;
  /** The part of `unconfirmed` that can still be confirmed. */
  waiting: number;
}

/** This device's own sums, which include activities that the server does not have yet. */
export interface LocalWeeks {
  current_key: string;
  /** The figures of the current week. */
  current: WeekFigures;
  /** By ISO week; weeks without activities are missing. */
  by_week: ReadonlyMap<string, Omit<WeekFigures, 'points'> & { validated: number }>;
  /** Up to this ISO week the device may lack activities; null: it has all. */
  newest_partial_key: string | null;
}

export interface ShownWeek extends Pick<TrendWeek, 'key' | 'starts_on'>, WeekFigures {}

/**
 * Merges the server's trend with this device's sums, up to the current week. Validated points are the server's where it
 * has them; unconfirmed ones are the device's, except in weeks of which it may lack activities.
 */
export function mergeTrend({ weeks }: Trend, local: LocalWeeks): ShownWeek[] {
  const { current_key, current, by_week, newest_partial_key } = local;
  const server_by_key = new Map(weeks.map((week) => [week.key, week]));
  const monday = isoWeekRange(current_key).starts_on;
  return weeks.map((_, index) => {
    const starts_on = addDays(monday, 7 * (index + 1 - weeks.length));
    const key = isoWeekKey(starts_on);
    if (key === current_key) return { key, starts_on, ...current };
    const server = server_by_key.get(key);
    const is_complete = newest_partial_key === null || key > newest_partial_key;
    const { validated, unconfirmed, waiting } = by_week.get(key) ?? { validated: 0, unconfirmed: 0, waiting: 0 };
    const points = server?.points ?? validated;
    if (is_complete) return { key, starts_on, points, unconfirmed, waiting };
    return { key, starts_on, points, unconfirmed: server?.unconfirmed_points ?? 0, waiting };
  });
}

/**
 * Returns the heights of the bars (one per week: all of it, and its solid part) and of the goal's line, in percent of
 * the chart. A week without points is 0.
 */
export function scaleTrend(weeks: readonly Pick<ShownWeek, 'points' | 'unconfirmed'>[], goal_points: number) {
  const bars = weeks.map(({ points, unconfirmed }) => ({
    solid: Math.max(0, points),
    all: Math.max(0, points) + unconfirmed,
  }));
  const top = Math.max(goal_points / GOAL_MAX_SHARE, ...bars.map(({ all }) => all));
  const toPercent = (points: number) => (100 * points) / top;
  return {
    bars: bars.map(({ solid, all }) => ({ solid: toPercent(solid), all: toPercent(all) })),
    goal: toPercent(goal_points),
  };
}
