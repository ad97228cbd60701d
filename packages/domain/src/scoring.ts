import { MINUTE_MS } from './durations.ts';
import type { Intensity, Pace } from './sports/sport-record.ts';
import { SPORT_RECORDS, type Sport } from './sports.ts';

/**
 * Versions of the score rules, oldest first: 1 point = 1 validated MET-minute. A changed formula gets a new version,
 * and an activity keeps the version with which it began. With `met-2` a measured distance never lowers the score.
 */
const RULE_VERSIONS = ['met-1', 'met-2'] as const;
export type RuleVersion = (typeof RULE_VERSIONS)[number];

/** The version for activities that begin now. */
export const RULE_VERSION: RuleVersion = 'met-2';

/** Returns the rule with this name; null if this version of the code does not know it. */
export function findRule(name: string): RuleVersion | null {
  return RULE_VERSIONS.find((version) => version === name) ?? null;
}

/** Returns the rule with this name. Throws RangeError for an unknown one: points by another rule would be wrong. */
export function requireRule(name: string): RuleVersion {
  const rule = findRule(name);
  if (rule === null) throw new RangeError(`unknown rule of the score: ${name}`);
  return rule;
}

/** Shorter activities score nothing. */
export const MIN_SCORED_MINUTES = 10;
/** Maximum minutes that count per activity. */
export const MAX_ACTIVITY_MINUTES = 180;
/** Maximum minutes that count per local day. */
export const MAX_DAY_MINUTES = 240;
/** The weekly ring: the lower WHO recommendation in MET-minutes. */
export const WEEKLY_GOAL_POINTS = 600;
export const WEEKLY_STRETCH_POINTS = 1200;

/** Level L starts at LEVEL_STEP_POINTS · L · (L − 1) points. */
const LEVEL_STEP_POINTS = 300;

/** An activity that has ended. Times in ms epoch. */
export interface TimedActivity {
  started_at: number;
  ended_at: number;
  /** Whole seconds between start and end in which the athlete had paused it; 0: none. */
  paused_s: number;
}

/** Returns the time from start to end without the pauses, ms; never negative. */
export function activeMs({ started_at, ended_at, paused_s }: TimedActivity): number {
  return Math.max(0, ended_at - started_at - paused_s * 1000);
}

/** Returns the whole minutes of the active time: those that count for points, badges and personal bests. */
export function activeMinutes(activity: TimedActivity): number {
  return Math.floor(activeMs(activity) / MINUTE_MS);
}

/** Returns the whole minutes from start to end, with the pauses; never negative. */
export function elapsedMinutes({ started_at, ended_at }: Pick<TimedActivity, 'started_at' | 'ended_at'>): number {
  return Math.max(0, Math.floor((ended_at - started_at) / MINUTE_MS));
}

/** Returns whether the pauses are a whole number of seconds, and no longer than the activity. NaN never is. */
export function isPauseWithin({ started_at, ended_at, paused_s }: TimedActivity): boolean {
  return Number.isInteger(paused_s) && paused_s >= 0 && paused_s * 1000 <= ended_at - started_at;
}

export interface ScoreInput extends TimedActivity {
  rule_version: RuleVersion;
  sport_type: Sport;
  /** null counts as moderate. */
  intensity: Intensity | null;
  /** True if a referee confirmed the intensity; a self-declared hard counts as moderate. */
  intensity_confirmed: boolean;
  /** Whole metres; only used for sports with a distance. */
  distance_m: number | null;
  /** True if a referee confirmed the distance; with `met-2` a declared one raises nothing. */
  distance_confirmed: boolean;
  /** The activity's share of the day's cap from `allotDay`; without it only the activity's own cap applies. */
  counted_minutes?: number;
}

export interface Score {
  rule_version: RuleVersion;
  /** Whole minutes from start to end, without the pauses. */
  minutes: number;
  /** Minutes that score, after all caps. */
  counted_minutes: number;
  intensity_used: Intensity;
  /** METs while moving, in thousandths; computed from the pace if a distance was measured. */
  active_met_thousandths: number;
  /** METs of the whole activity, in thousandths. */
  met_thousandths: number;
  points: number;
}

export interface AllottableActivity {
  id: string;
  /** ms epoch */
  started_at: number;
  minutes: number;
}

/** Integer division of non-negative numbers, rounding half up. */
function divideHalfUp(numerator: number, denominator: number): number {
  return Math.floor((2 * numerator + denominator) / (2 * denominator));
}

function cappedMinutes(minutes: number): number {
  return minutes < MIN_SCORED_MINUTES ? 0 : Math.min(minutes, MAX_ACTIVITY_MINUTES);
}

/** Returns the METs in thousandths of a distance in whole metres; `minutes` is at least 1. */
function metOfPace(paces: readonly [Pace, ...Pace[]], distance_m: number, minutes: number): number {
  // Comparing 10 · distance with pace · minutes keeps all numbers whole: every device rounds alike.
  const tenths = 10 * distance_m;
  let from = paces[0];
  if (tenths <= from.pace * minutes) return from.met;
  for (const to of paces) {
    if (tenths <= to.pace * minutes) {
      const rise = (tenths - from.pace * minutes) * (to.met - from.met);
      return from.met + divideHalfUp(rise, (to.pace - from.pace) * minutes);
    }
    from = to;
  }
  return from.met;
}

/**
 * Returns M_active in thousandths, and the intensity that it represents. A distance sets it by its pace: with `met-1` any
 * distance, with `met-2` one that a referee confirmed; without one, `met-2` counts as easy. So no distance lowers points.
 */
function activeMet(input: ScoreInput): { intensity_used: Intensity; active: number } {
  const { active, distance } = SPORT_RECORDS[input.sport_type];
  const declared = input.intensity ?? 'moderate';
  const metres = Math.floor(input.distance_m ?? 0);
  const minutes = elapsedMinutes(input);
  const is_counted = input.rule_version === 'met-1' || input.distance_confirmed;
  if (distance !== null && metres > 0 && minutes > 0 && is_counted) {
    return { intensity_used: declared, active: metOfPace(distance.paces, metres, minutes) };
  }
  if (distance !== null && input.rule_version !== 'met-1') {
    return { intensity_used: 'easy', active: active.easy };
  }
  const intensity_used = declared === 'hard' && !input.intensity_confirmed ? 'moderate' : declared;
  return { intensity_used, active: active[intensity_used] };
}

/**
 * Scores one activity: `(a · M_active + (1 − a) · M_rest) · counted minutes`, in whole thousandths, half up, then whole
 * points, half up. Pauses take their minutes from the counted ones; the pace of a distance (`activeMet`) is over all
 * whole minutes, so that a pause never raises the points.
 */
export function scoreActivity(input: ScoreInput): Score {
  const { active_percent, rest } = SPORT_RECORDS[input.sport_type];
  const minutes = activeMinutes(input);
  const { intensity_used, active } = activeMet(input);
  const met = divideHalfUp(active_percent * active + (100 - active_percent) * rest, 100);
  const allotted = Math.max(0, Math.floor(input.counted_minutes ?? MAX_ACTIVITY_MINUTES));
  const counted_minutes = Math.min(cappedMinutes(minutes), allotted);
  return {
    rule_version: input.rule_version,
    minutes,
    counted_minutes,
    intensity_used,
    active_met_thousandths: active,
    met_thousandths: met,
    points: divideHalfUp(met * counted_minutes, 1000),
  };
}

/**
 * Shares out a user's local day: 180 minutes per activity, 240 per day, in the order of (started_at, id). Returns the
 * counted minutes by id, whatever the order of the list; ids are unique.
 */
export function allotDay(activities: readonly AllottableActivity[]): Map<string, number> {
  const sorted = [...activities].sort((a, b) => a.started_at - b.started_at || (a.id < b.id ? -1 : 1));
  const allotted = new Map<string, number>();
  let remaining = MAX_DAY_MINUTES;
  for (const { id, minutes } of sorted) {
    const share = Math.min(cappedMinutes(minutes), remaining);
    allotted.set(id, share);
    remaining -= share;
  }
  return allotted;
}

/** Returns the level of lifetime points; level L starts at 300 · L · (L − 1), so level 2 is one WHO week (600). */
export function levelOf(lifetime_points: number): { level: number; starts_at: number; next_at: number } {
  const points = Math.max(0, lifetime_points);
  let level = Math.floor((1 + Math.sqrt(1 + (4 * points) / LEVEL_STEP_POINTS)) / 2);
  // The square root may be off by one at an exact threshold.
  while (levelStart(level) > points) level -= 1;
  while (levelStart(level + 1) <= points) level += 1;
  return { level, starts_at: levelStart(level), next_at: levelStart(level + 1) };
}

function levelStart(level: number): number {
  return LEVEL_STEP_POINTS * level * (level - 1);
}
