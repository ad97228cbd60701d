import type { ProofMethod } from '../decision-in-force.ts';
import { DAYS_A_WEEK } from '../durations.ts';
import { activeMinutes, MIN_SCORED_MINUTES, type TimedActivity } from '../scoring.ts';
import { SPORT_RECORDS, SPORTS, type Sport, type WeekTotal } from '../sports.ts';

/** 1 January of year 1 is this many days before 1970-01-01 (proleptic Gregorian calendar). */
const DAYS_BEFORE_EPOCH = 719_162;

/**
 * Sums of all validated activities in an athlete's ISO week, with the fields that the sports' records name: numbers of
 * activities, metres (each activity counts at most as many as its minutes allow) and minutes of the longest one.
 * Activities that are too short for points count nowhere: otherwise a badge would take only minutes.
 */
export interface AthleteWeek extends Record<WeekTotal, number> {
  /** '2026-W47' */
  week_key: string;
  points: number;
  /** Active days by local date: bit 0 is Monday. */
  days: number;
  /** Distinct, sorted. */
  sport_center_ids: string[];
  /** One letter per activity in the order of their starts: r(eferee), v(enue), p(eer). */
  proofs: string;
}

/** A validated activity. */
export interface WeekActivity extends TimedActivity {
  id: string;
  sport_type: Sport;
  sport_center_id: string;
  /** Date of the start in the center's zone. */
  local_date: string;
  /** Whole metres; null in sports without a distance. */
  distance_m: number | null;
  points: number;
  validation: ProofMethod;
}

const PROOF_LETTERS: Record<ProofMethod, string> = { peer: 'p', venue: 'v', referee: 'r' };

/** Returns the sums of a week; `activities` are all its validated ones, in any order. */
export function sumWeek(week_key: string, activities: readonly WeekActivity[]): AthleteWeek {
  const sorted = [...activities].sort((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1));
  const counted = sorted.filter(isLongEnoughToCount);
  return {
    week_key,
    points: sum(sorted.map(({ points }) => points)),
    days: counted.reduce((days, { local_date }) => days | (1 << weekday(local_date)), 0),
    ...sportTotals(counted),
    sport_center_ids: [...new Set(counted.map(({ sport_center_id }) => sport_center_id))].sort(),
    proofs: counted.map(({ validation }) => PROOF_LETTERS[validation]).join(''),
  };
}

function sportTotals(counted: readonly WeekActivity[]): Record<WeekTotal, number> {
  const totals: [string, number][] = [];
  for (const sport of SPORTS) {
    const { week } = SPORT_RECORDS[sport];
    const own = counted.filter(({ sport_type }) => sport_type === sport);
    totals.push([week.count, own.length]);
    if (week.metres !== null) totals.push([week.metres, sum(own.map(countedMetres))]);
    if (week.longest_minutes !== null) totals.push([week.longest_minutes, Math.max(0, ...own.map(activeMinutes))]);
  }
  return Object.fromEntries(totals) as Record<WeekTotal, number>;
}

/** Returns whether an activity counts for badges, streaks and confirmations given. */
export function isLongEnoughToCount(activity: TimedActivity): boolean {
  return activeMinutes(activity) >= MIN_SCORED_MINUTES;
}

/** Returns how many different days of the week were active, 0 to 7. */
export function countActiveDays({ days }: Pick<AthleteWeek, 'days'>): number {
  let count = 0;
  for (let remaining_bits = days; remaining_bits > 0; remaining_bits >>= 1) count += remaining_bits & 1;
  return count;
}

/**
 * Numbers ISO weeks consecutively; day `n` of a week (0 = Monday) is day `7 · number − 3 + n` since 1970-01-01. Avoids
 * Date, because every validation calls it for each week of the athlete's history. The key must be valid.
 */
export function weekNumber(week_key: string): number {
  const completed_years = Number(week_key.slice(0, 4)) - 1;
  const leap_days =
    Math.floor(completed_years / 4) - Math.floor(completed_years / 100) + Math.floor(completed_years / 400);
  const first_of_january = 365 * completed_years + leap_days - DAYS_BEFORE_EPOCH;
  // 4 January is in week 1 of its year by definition (ISO 8601); 1970-01-01 was a Thursday.
  return Math.floor((first_of_january + 3 + 3) / DAYS_A_WEEK) + Number(week_key.slice(6)) - 1;
}

/** Sorts weeks by key, oldest first. */
export function sortWeeks<Week extends Pick<AthleteWeek, 'week_key'>>(weeks: readonly Week[]): Week[] {
  return [...weeks].sort((a, b) => (a.week_key < b.week_key ? -1 : 1));
}

function weekday(local_date: string): number {
  return (new Date(`${local_date}T00:00:00Z`).getUTCDay() + 6) % DAYS_A_WEEK;
}

function countedMetres(activity: WeekActivity): number {
  const { distance } = SPORT_RECORDS[activity.sport_type];
  return Math.min(activity.distance_m ?? 0, (distance?.max_m_per_minute ?? 0) * activeMinutes(activity));
}

export function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
