import { SPORT_RECORDS, SPORTS, type Sport, type WeekCount } from '../sports.ts';
import { type AthleteWeek, countActiveDays, sortWeeks, weekNumber } from './athlete-weeks.ts';
import { longestStreak, streakAt } from './streaks.ts';

type GoalKind =
  // Different days within one week.
  | 'active_days'
  // Points of one week.
  | 'week_points'
  // Different sports within one week.
  | 'week_sports'
  // Consecutive weeks on the personal target.
  | 'streak_weeks'
  // Different centers.
  | 'centers'
  // Metres swum.
  | 'swum_m'
  // Length of one climb.
  | 'climb_minutes'
  // Consecutive activities proven by a referee, without any other proof between them.
  | 'referee_row'
  // Others' activities whose confirmation in force is mine.
  | 'validations_given'
  // Days between an activity and the previous one.
  | 'pause_days';

/**
 * The condition of a badge; `activities`: their number, of one sport if it is named. Only validated activities count, and
 * only those that are long enough for points.
 */
export type BadgeRule = { kind: 'activities'; sport?: Sport; goal: number } | { kind: GoalKind; goal: number };

/**
 * Every badge, in shelf order. A new one also needs a medal and a name in both languages: docs/how-to/add-a-badge.md.
 */
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
 * Returns the progress of each badge in the week `current_week_key`, in its own unit, possibly beyond its goal. For
 * consecutive goals only the run that still continues counts; a pause is no progress.
 */
export function badgeProgress(
  { weeks, validations_given }: BadgeFacts,
  current_week_key: string,
): Record<BadgeId, number> {
  const sorted = sortWeeks(weeks);
  const runs = currentRuns(sorted, current_week_key);
  return toBadgeValues({ ...measureTotals(sorted), ...runs, validations_given });
}

/** Returns the badges whose goal these facts reach or reached once, in shelf order. */
export function earnedBadges({ weeks, validations_given }: BadgeFacts): BadgeId[] {
  const sorted = sortWeeks(weeks);
  const reached = toBadgeValues({ ...measureTotals(sorted), ...bestRuns(sorted), validations_given });
  return BADGE_IDS.filter((id) => reached[id] >= BADGES[id].goal);
}

/**
 * Returns the next badge of each family, nearest first, ties in shelf order. Omits pauses, because they are no goal to
 * work for.
 */
export function nextBadges(progress: Record<BadgeId, number>, earned: ReadonlySet<BadgeId>, limit: number): BadgeId[] {
  const next_by_family = new Map<Measure, BadgeId>();
  for (const id of BADGE_IDS) {
    // Badges of one family require increasing amounts of the same measure.
    const family = measureOf(BADGES[id]);
    if (family !== 'pause_days' && !earned.has(id) && !next_by_family.has(family)) next_by_family.set(family, id);
  }
  const share = (id: BadgeId) => Math.min(1, progress[id] / BADGES[id].goal);
  return [...next_by_family.values()].sort((a, b) => share(b) - share(a)).slice(0, limit);
}

const WEEK_COUNTS = SPORTS.map((sport) => SPORT_RECORDS[sport].week.count);

type Measure = BadgeRule['kind'] | WeekCount;

function measureOf(rule: BadgeRule): Measure {
  if (rule.kind !== 'activities' || rule.sport === undefined) return rule.kind;
  return SPORT_RECORDS[rule.sport].week.count;
}

function toBadgeValues(reached: Record<Measure, number>): Record<BadgeId, number> {
  return Object.fromEntries(BADGE_IDS.map((id) => [id, reached[measureOf(BADGES[id])]])) as Record<BadgeId, number>;
}

/** Measures that only grow. */
function measureTotals(weeks: AthleteWeek[]) {
  const total = (measure: (week: AthleteWeek) => number) => weeks.reduce((sum, week) => sum + measure(week), 0);
  const counts = WEEK_COUNTS.map((count): [WeekCount, number] => [count, total((week) => week[count])]);
  return {
    ...(Object.fromEntries(counts) as Record<WeekCount, number>),
    activities: counts.reduce((sum, [, number]) => sum + number, 0),
    centers: new Set(weeks.flatMap((week) => week.sport_center_ids)).size,
    swum_m: total((week) => week.swum_m),
    climb_minutes: maxOf(weeks, (week) => week.longest_climb_minutes),
  };
}

type Runs = Record<
  'active_days' | 'week_points' | 'week_sports' | 'streak_weeks' | 'referee_row' | 'pause_days',
  number
>;

/** Returns the longest runs ever; `weeks` in order. */
function bestRuns(weeks: AthleteWeek[]): Runs {
  return {
    active_days: maxOf(weeks, countActiveDays),
    week_points: maxOf(weeks, (week) => week.points),
    week_sports: maxOf(weeks, sportsOf),
    streak_weeks: longestStreak(weeks),
    referee_row: refereeRuns(weeks).longest,
    pause_days: longestPauseDays(weeks),
  };
}

/** Returns the runs that still continue in the week `current_week_key`; `weeks` in order. */
function currentRuns(weeks: AthleteWeek[], current_week_key: string): Runs {
  const current_week = weeks.filter(({ week_key }) => week_key === current_week_key);
  return {
    active_days: maxOf(current_week, countActiveDays),
    week_points: maxOf(current_week, (week) => week.points),
    week_sports: maxOf(current_week, sportsOf),
    streak_weeks: streakAt(weeks, current_week_key).weeks,
    referee_row: refereeRuns(weeks).last,
    pause_days: 0,
  };
}

function maxOf(weeks: AthleteWeek[], measure: (week: AthleteWeek) => number): number {
  return weeks.reduce((limit, week) => Math.max(limit, measure(week)), 0);
}

function sportsOf(week: AthleteWeek): number {
  return WEEK_COUNTS.filter((count) => week[count] > 0).length;
}

/**
 * Counts consecutive activities proven by a referee; `last`: the run that includes the latest one. `weeks` in order.
 */
function refereeRuns(weeks: AthleteWeek[]): { longest: number; last: number } {
  let run = 0;
  let longest = 0;
  for (const { proofs } of weeks) {
    for (const letter of proofs) {
      run = letter === 'r' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
  }
  return { longest, last: run };
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
