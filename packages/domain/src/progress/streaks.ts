import { DAYS_A_WEEK } from '../durations.ts';
import { type AthleteWeek, countActiveDays, weekNumber } from './athlete-weeks.ts';

/** The personal target comes from this many complete weeks, and one in this many may be missed. */
const STREAK_WEEKS = 8;
/** The lower median of 8 is the 4th smallest. */
const MEDIAN_RANK = 4;
const MAX_TARGET_DAYS = 4;

export interface StreakState {
  /** Consecutive weeks on target; the current one counts once it is reached. */
  weeks: number;
  /** Active days that the current week needs, 1 to 4. */
  target_days: number;
  days_this_week: number;
  /** The current week could be missed without breaking the streak. */
  rest_available: boolean;
  /** How many of the last 8 complete weeks were on target. */
  on_target_of_8: number;
}

interface StreakWalk {
  streak: number;
  longest: number;
  /** Number of the last missed week that was forgiven. */
  forgiven: number;
}

/**
 * Returns the streak in a week; `weeks` in any order, later ones ignored. The target of a week is the lower median of
 * the active days of the 8 weeks before, including zeros, between 1 and 4. A missed week breaks the streak, unless it
 * is the current one or none of the 7 before it was forgiven.
 */
export function streakAt(
  weeks: readonly Pick<AthleteWeek, 'week_key' | 'days'>[],
  current_week_key: string,
): StreakState {
  const current_week = weekNumber(current_week_key);
  const days = daysByWeek(weeks);
  const before = walkWeeks(days, current_week - 1);
  const days_this_week = days.get(current_week) ?? 0;
  const target_days = targetDaysOf(days, current_week);
  let on_target_of_8 = 0;
  for (let week = current_week - STREAK_WEEKS; week < current_week; week += 1) {
    if ((days.get(week) ?? 0) >= targetDaysOf(days, week)) on_target_of_8 += 1;
  }
  return {
    weeks: before.streak + (days_this_week >= target_days ? 1 : 0),
    target_days,
    days_this_week,
    rest_available: before.streak > 0 && current_week - before.forgiven >= STREAK_WEEKS,
    on_target_of_8,
  };
}

/** Returns the longest streak ever, by the rule of `streakAt`. */
export function longestStreak(weeks: readonly Pick<AthleteWeek, 'week_key' | 'days'>[]): number {
  const days = daysByWeek(weeks);
  return walkWeeks(days, Math.max(...days.keys())).longest;
}

function daysByWeek(weeks: readonly Pick<AthleteWeek, 'week_key' | 'days'>[]): Map<number, number> {
  return new Map(weeks.map((week) => [weekNumber(week.week_key), countActiveDays(week)]));
}

/** Walks from the first week to `last`, inclusive. */
function walkWeeks(days: Map<number, number>, last: number): StreakWalk {
  const result: StreakWalk = { streak: 0, longest: 0, forgiven: Number.NEGATIVE_INFINITY };
  if (days.size === 0) return result;
  const first = Math.min(...days.keys());
  const counts = new Array<number>(DAYS_A_WEEK + 1).fill(0);
  counts[0] = STREAK_WEEKS;
  for (let week = first; week <= last; week += 1) {
    const active = days.get(week) ?? 0;
    if (active >= medianOf(counts)) result.streak += 1;
    else if (result.streak > 0 && week - result.forgiven >= STREAK_WEEKS) result.forgiven = week;
    else result.streak = 0;
    result.longest = Math.max(result.longest, result.streak);
    slideWindow(counts, days.get(week - STREAK_WEEKS) ?? 0, active);
  }
  return result;
}

function targetDaysOf(days: Map<number, number>, week: number): number {
  const counts = new Array<number>(DAYS_A_WEEK + 1).fill(0);
  for (let before = week - STREAK_WEEKS; before < week; before += 1) {
    const active = days.get(before) ?? 0;
    counts[active] = (counts[active] ?? 0) + 1;
  }
  return medianOf(counts);
}

/** `counts[n]`: how many of the 8 weeks had n active days. */
function medianOf(counts: readonly number[]): number {
  let seen = 0;
  for (let active = 0; active < MAX_TARGET_DAYS; active += 1) {
    seen += counts[active] ?? 0;
    if (seen >= MEDIAN_RANK) return Math.max(1, active);
  }
  return MAX_TARGET_DAYS;
}

function slideWindow(counts: number[], removed: number, added: number): void {
  counts[removed] = (counts[removed] ?? 0) - 1;
  counts[added] = (counts[added] ?? 0) + 1;
}
