import type { Sport } from '../scoring.ts';
import { type AthleteWeek, activeDays, sortWeeks, weekNumber } from './athlete-weeks.ts';
import { longestStreak, streakAt } from './streaks.ts';

/**
 * The condition of a badge. Only validated activities count, and only those that are long enough for points.
 * - `activities`: number of activities, of one sport if it is named
 * - `active_days`: different days within one week
 * - `week_points`: points of one week
 * - `week_sports`: different sports within one week
 * - `streak_weeks`: consecutive weeks on the personal target
 * - `centers`: different centers
 * - `swum_m`: metres swum
 * - `climb_minutes`: length of one climb
 * - `referee_row`: consecutive activities proven by a referee, without any other proof between them
 * - `validations_given`: others' activities whose confirmation in force is mine
 * - `pause_days`: days between an activity and the previous one
 */
export type BadgeRule =
  | { kind: 'activities'; sport?: Sport; goal: number }
  | {
      kind:
        | 'active_days'
        | 'week_points'
        | 'week_sports'
        | 'streak_weeks'
        | 'centers'
        | 'swum_m'
        | 'climb_minutes'
        | 'referee_row'
        | 'validations_given'
        | 'pause_days';
      goal: number;
    };

/** Every badge, in shelf order. A new one also needs a medal and a name in both languages: docs/how-to/add-a-badge.md. */
export const BADGES = {
  first_activity: { kind: 'activities', goal: 1 },
  swimming_starter: { kind: 'activities', sport: 'swimming', goal: 1 },
  climbing_rookie: { kind: 'activities', sport: 'climbing', goal: 1 },
  regular_10: { kind: 'activities', goal: 10 },
  regular_50: { kind: 'activities', goal: 50 },
  regular_100: { kind: 'activities', goal: 100 },
  regular_250: { kind: 'activities', goal: 250 },
  week_three: { kind: 'active_days', goal: 3 },
  rhythm_4: { kind: 'streak_weeks', goal: 4 },
  rhythm_12: { kind: 'streak_weeks', goal: 12 },
  rhythm_26: { kind: 'streak_weeks', goal: 26 },
  who_week: { kind: 'week_points', goal: 600 },
  who_plus: { kind: 'week_points', goal: 1200 },
  explorer_3: { kind: 'centers', goal: 3 },
  explorer_5: { kind: 'centers', goal: 5 },
  explorer_10: { kind: 'centers', goal: 10 },
  all_rounder: { kind: 'week_sports', goal: 2 },
  kilometre_1: { kind: 'swum_m', goal: 1_000 },
  kilometre_10: { kind: 'swum_m', goal: 10_000 },
  kilometre_50: { kind: 'swum_m', goal: 50_000 },
  kilometre_100: { kind: 'swum_m', goal: 100_000 },
  long_haul: { kind: 'climb_minutes', goal: 120 },
  fair_play: { kind: 'referee_row', goal: 10 },
  official_10: { kind: 'validations_given', goal: 10 },
  official_50: { kind: 'validations_given', goal: 50 },
  official_200: { kind: 'validations_given', goal: 200 },
  comeback: { kind: 'pause_days', goal: 30 },
} as const satisfies Record<string, BadgeRule>;

export type BadgeId = keyof typeof BADGES;
export const BADGE_IDS = Object.keys(BADGES) as [BadgeId, ...BadgeId[]];

/** The facts that earn badges. */
export interface BadgeFacts {
  /** All weeks of the athlete, in any order; weeks without a validated activity may be omitted. */
  weeks: readonly AthleteWeek[];
  /** Others' activities whose confirmation in force is the athlete's. */
  validations_given: number;
}

/**
 * Returns the progress of each badge in the week `present_key`, in its own unit, possibly beyond its goal. For
 * consecutive goals only the run that still continues counts; a pause is no progress.
 */
export function badgeProgress({ weeks, validations_given }: BadgeFacts, present_key: string): Record<BadgeId, number> {
  const inOrder = sortWeeks(weeks);
  const runs = presentRuns(inOrder, present_key);
  return byBadge({ ...measureTotals(inOrder), ...runs, validations_given });
}

/** Returns the badges whose goal these facts reach or reached once, in shelf order. */
export function earnedBadges({ weeks, validations_given }: BadgeFacts): BadgeId[] {
  const inOrder = sortWeeks(weeks);
  const reached = byBadge({ ...measureTotals(inOrder), ...bestRuns(inOrder), validations_given });
  return BADGE_IDS.filter((id) => reached[id] >= BADGES[id].goal);
}

/**
 * Returns the next badge of each family, nearest first, ties in shelf order. Omits pauses, because they are no goal to
 * work for.
 */
export function nextBadges(progress: Record<BadgeId, number>, earned: ReadonlySet<BadgeId>, most: number): BadgeId[] {
  const firsts = new Map<Measure, BadgeId>();
  for (const id of BADGE_IDS) {
    // Badges of one family require increasing amounts of the same measure.
    const family = measureOf(BADGES[id]);
    if (family !== 'pause_days' && !earned.has(id) && !firsts.has(family)) firsts.set(family, id);
  }
  const share = (id: BadgeId) => Math.min(1, progress[id] / BADGES[id].goal);
  return [...firsts.values()].sort((a, b) => share(b) - share(a)).slice(0, most);
}

type Measure = BadgeRule['kind'] | 'swims' | 'climbs';

function measureOf(rule: BadgeRule): Measure {
  if (rule.kind !== 'activities' || rule.sport === undefined) return rule.kind;
  return rule.sport === 'swimming' ? 'swims' : 'climbs';
}

function byBadge(reached: Record<Measure, number>): Record<BadgeId, number> {
  return Object.fromEntries(BADGE_IDS.map((id) => [id, reached[measureOf(BADGES[id])]])) as Record<BadgeId, number>;
}

/** Measures that only grow. */
function measureTotals(weeks: AthleteWeek[]) {
  const total = (read: (week: AthleteWeek) => number) => weeks.reduce((sum, week) => sum + read(week), 0);
  const climbs = total((week) => week.climbs);
  const swims = total((week) => week.swims);
  return {
    activities: climbs + swims,
    climbs,
    swims,
    centers: new Set(weeks.flatMap((week) => week.sport_center_ids)).size,
    swum_m: total((week) => week.swum_m),
    climb_minutes: best(weeks, (week) => week.longest_climb_minutes),
  };
}

type Runs = Record<
  'active_days' | 'week_points' | 'week_sports' | 'streak_weeks' | 'referee_row' | 'pause_days',
  number
>;

/** Returns the longest runs ever; `weeks` in order. */
function bestRuns(weeks: AthleteWeek[]): Runs {
  return {
    active_days: best(weeks, activeDays),
    week_points: best(weeks, (week) => week.points),
    week_sports: best(weeks, sportsOf),
    streak_weeks: longestStreak(weeks),
    referee_row: refereeRows(weeks).longest,
    pause_days: longestPauseDays(weeks),
  };
}

/** Returns the runs that still continue in the week `present_key`; `weeks` in order. */
function presentRuns(weeks: AthleteWeek[], present_key: string): Runs {
  const present = weeks.filter(({ week_key }) => week_key === present_key);
  return {
    active_days: best(present, activeDays),
    week_points: best(present, (week) => week.points),
    week_sports: best(present, sportsOf),
    streak_weeks: streakAt(weeks, present_key).weeks,
    referee_row: refereeRows(weeks).last,
    pause_days: 0,
  };
}

function best(weeks: AthleteWeek[], read: (week: AthleteWeek) => number): number {
  return weeks.reduce((most, week) => Math.max(most, read(week)), 0);
}

function sportsOf({ climbs, swims }: AthleteWeek): number {
  return Number(climbs > 0) + Number(swims > 0);
}

/**
 * Counts consecutive activities proven by a referee; `last`: the run that includes the latest one. `weeks` in order.
 */
function refereeRows(weeks: AthleteWeek[]): { longest: number; last: number } {
  let row = 0;
  let longest = 0;
  for (const { proofs } of weeks) {
    for (const letter of proofs) {
      row = letter === 'r' ? row + 1 : 0;
      longest = Math.max(longest, row);
    }
  }
  return { longest, last: row };
}

/** Returns the most days from one active day to the next; `weeks` in order. */
function longestPauseDays(weeks: AthleteWeek[]): number {
  let last: number | undefined;
  let longest = 0;
  for (const { week_key, days } of weeks) {
    const monday = 7 * weekNumber(week_key);
    for (let day = 0; day < 7; day += 1) {
      if ((days & (1 << day)) === 0) continue;
      if (last !== undefined) longest = Math.max(longest, monday + day - last);
      last = monday + day;
    }
  }
  return longest;
}
