import { type AthleteWeek, activeDays, weekNumber } from './athlete-weeks.ts';

/** So many complete weeks make the personal target, and one of so many may be missed. */
const STREAK_WEEKS = 8;
/** The lower median of 8 is the 4th smallest. */
const MEDIAN_PLACE = 4;
const MAX_TARGET_DAYS = 4;
const DAYS_A_WEEK = 7;

export interface StreakState {
  /** Weeks in a row on target, the present one only when it is reached. */
  weeks: number;
  /** Different active days that the present week needs, 1 to 4. */
  target_days: number;
  days_this_week: number;
  /** The present week could be missed without breaking anything. */
  rest_available: boolean;
  /** Of the last 8 complete weeks, how many were on target. */
  on_target_of_8: number;
}

interface Walked {
  streak: number;
  longest: number;
  /** Number of the last week that was missed and forgiven. */
  forgiven: number;
}

/**
 * The streak in the week `present_key`; `weeks` in any order, later ones do not count. A week is on target when it has
 * at least as many active days as the lower median of the 8 weeks before it, zeros included, between 1 and 4. A missed week is
 * forgiven while there is a streak and none of the 7 weeks before was: it neither counts nor breaks. The present week
 * breaks nothing.
 */
export function streakAt(weeks: readonly Pick<AthleteWeek, 'week_key' | 'days'>[], present_key: string): StreakState {
  const present = weekNumber(present_key);
  const days = daysByWeek(weeks);
  const before = walk(days, present - 1);
  const days_this_week = days.get(present) ?? 0;
  const target_days = targetOf(days, present);
  let on_target_of_8 = 0;
  for (let week = present - STREAK_WEEKS; week < present; week += 1) {
    if ((days.get(week) ?? 0) >= targetOf(days, week)) on_target_of_8 += 1;
  }
  return {
    weeks: before.streak + (days_this_week >= target_days ? 1 : 0),
    target_days,
    days_this_week,
    rest_available: before.streak > 0 && present - before.forgiven >= STREAK_WEEKS,
    on_target_of_8,
  };
}

/** The most weeks in a row on target there ever were, by the rule of `streakAt`. */
export function longestStreak(weeks: readonly Pick<AthleteWeek, 'week_key' | 'days'>[]): number {
  const days = daysByWeek(weeks);
  return walk(days, Math.max(...days.keys())).longest;
}

function daysByWeek(weeks: readonly Pick<AthleteWeek, 'week_key' | 'days'>[]): Map<number, number> {
  return new Map(weeks.map((week) => [weekNumber(week.week_key), activeDays(week)]));
}

/** From the first week to `last`, both inside. */
function walk(days: Map<number, number>, last: number): Walked {
  const walked: Walked = { streak: 0, longest: 0, forgiven: Number.NEGATIVE_INFINITY };
  if (days.size === 0) return walked;
  const first = Math.min(...days.keys());
  const counts = new Array<number>(DAYS_A_WEEK + 1).fill(0);
  counts[0] = STREAK_WEEKS;
  for (let week = first; week <= last; week += 1) {
    const active = days.get(week) ?? 0;
    if (active >= medianOf(counts)) walked.streak += 1;
    else if (walked.streak > 0 && week - walked.forgiven >= STREAK_WEEKS) walked.forgiven = week;
    else walked.streak = 0;
    walked.longest = Math.max(walked.longest, walked.streak);
    move(counts, days.get(week - STREAK_WEEKS) ?? 0, active);
  }
  return walked;
}

function targetOf(days: Map<number, number>, week: number): number {
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
    if (seen >= MEDIAN_PLACE) return Math.max(1, active);
  }
  return MAX_TARGET_DAYS;
}

function move(counts: number[], leaves: number, comes: number): void {
  counts[leaves] = (counts[leaves] ?? 0) - 1;
  counts[comes] = (counts[comes] ?? 0) + 1;
}
