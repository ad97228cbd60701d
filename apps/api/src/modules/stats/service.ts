import type { PersonalBest, Recap, Skills, Trend } from '@sendlap/contract/stats.ts';
import { addDays, isoWeekAt, isoWeekKey, isoWeekRange } from '@sendlap/domain/dates.ts';
import { DAY_MS } from '@sendlap/domain/durations.ts';
import type { AthleteWeek } from '@sendlap/domain/progress/athlete-weeks.ts';
import {
  computeSkills,
  SKILL_ACTIVITIES,
  SKILL_DAYS,
  type SkillFacts,
  VOLUME_DAYS,
} from '@sendlap/domain/progress/skills.ts';
import { type StreakState, streakAt } from '@sendlap/domain/progress/streaks.ts';
import { requireRule, type Score, scoreActivity } from '@sendlap/domain/scoring.ts';
import type { Intensity } from '@sendlap/domain/sports/sport-record.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { PREPARED } from '#api/database/statement-pipeline.ts';
import { parseWeeks, selectWeeks, type WeekColumns } from './athlete-weeks.ts';
import { buildRecap, selectBests } from './recap.ts';

const TREND_WEEKS = 12;
/** One day more than the weeks have: a zone's Monday begins before that of UTC. */
const TREND_DAYS = 7 * TREND_WEEKS + 1;

export type StatsService = ReturnType<typeof createStatsService>;

/** The columns of `selectStats`. */
export interface StatsJson {
  weeks: WeekColumns;
  recent: RecentJson;
}

/** An athlete's statistics; the current week is by the zone of their latest activity's center, else by UTC. */
export interface Stats {
  week_key: string;
  time_zone: string;
  weeks: AthleteWeek[];
  streak: StreakState;
  skills: Skills;
  trend: Trend;
}

export function createStatsService(database: Database, now: () => Date) {
  const read = async (user_id: string) => {
    const at = now();
    const { rows } = await sql<StatsJson>`${PREPARED}select ${selectStats(user_id, at)}`.execute(database);
    const [row] = rows;
    if (!row) throw new Error('a select without a table gives one row');
    return buildStats(row, at);
  };
  return {
    getSkills: async (user_id: string) => (await read(user_id)).skills,
    getTrend: async (user_id: string) => (await read(user_id)).trend,
    getRecap: (user_id: string) => readRecap(database, user_id, now()),
  };
}

interface RecapRow {
  weeks: WeekColumns;
  time_zone: string | null;
  bests: PersonalBest[] | null;
}

async function readRecap(database: Database, user_id: string, at: Date): Promise<Recap> {
  const { rows } = await sql<RecapRow>`${PREPARED}
    select ${selectWeeks(user_id)} as weeks, ${selectTimeZone(user_id)} as time_zone,
      ${selectBests(user_id)} as bests`.execute(database);
  const [row] = rows;
  if (!row) throw new Error('a select without a table gives one row');
  const time_zone = row.time_zone ?? 'UTC';
  const week_key = isoWeekAt(at.getTime(), time_zone);
  return buildRecap({ weeks: parseWeeks(row.weeks), week_key, time_zone, bests: row.bests ?? [] });
}

/** SQL of the columns of `StatsJson`. */
export function selectStats(user_id: string, now: Date): RawBuilder<unknown> {
  return sql`${selectWeeks(user_id)} as weeks, ${selectRecent(user_id, now)} as recent`;
}

export function buildStats({ weeks: columns, recent }: StatsJson, now: Date): Stats {
  const weeks = parseWeeks(columns);
  const time_zone = recent.time_zone ?? 'UTC';
  const week_key = isoWeekAt(now.getTime(), time_zone);
  const streak = streakAt(weeks, week_key);
  const { unconfirmed, ...sums } = recent.last_90_days;
  const latest = recent.latest ?? [];
  const skills = {
    axes: computeSkills({ ...sums, latest: latest.map(effortOf), weeks_on_target: streak.on_target_of_8 }),
  };
  return { week_key, time_zone, weeks, streak, skills, trend: trendOf(weeks, unconfirmed ?? [], week_key) };
}

function trendOf(weeks: AthleteWeek[], unconfirmed: UnconfirmedJson[], current_key: string): Trend {
  const points = new Map(weeks.map((week) => [week.week_key, week.points]));
  const unconfirmed_by_week = Map.groupBy(unconfirmed, ({ week_key }) => week_key);
  const monday = isoWeekRange(current_key).starts_on;
  const mondays = Array.from({ length: TREND_WEEKS }, (_, nth) => addDays(monday, 7 * (nth + 1 - TREND_WEEKS)));
  return {
    weeks: mondays.map((starts_on) => {
      const key = isoWeekKey(starts_on);
      const unconfirmed_points = (unconfirmed_by_week.get(key) ?? []).reduce(
        (sum, facts) => sum + scoreOf(facts).points,
        0,
      );
      return { key, starts_on, points: points.get(key) ?? 0, unconfirmed_points };
    }),
  };
}

/** The facts of an activity's score. */
interface ScoredJson {
  sport_type: Sport;
  started_at: string;
  ended_at: string;
  paused_s: number;
  intensity: Intensity | null;
  intensity_confirmed: boolean;
  distance_m: number | null;
  distance_confirmed: boolean;
  rule_version: string;
}

type UnconfirmedJson = ScoredJson & { week_key: string };

/** Totals of an athlete's latest activities, in JSON form. */
interface RecentJson {
  /** Of the latest activity's center; null without any activity. */
  time_zone: string | null;
  latest: ScoredJson[] | null;
  /** Sums and unconfirmed activities, from one scan: both look at the same rows. */
  last_90_days: Pick<SkillFacts, 'points_28_days' | 'pairs_90_days' | 'validated_90_days' | 'ended_90_days'> & {
    /** Finished activities without a proof that began since the trend's first Monday, or shortly before. */
    unconfirmed: UnconfirmedJson[] | null;
  };
}

/** SQL of the zone of an athlete's latest activity's center. */
function selectTimeZone(user_id: string): RawBuilder<unknown> {
  return sql`(
    select c.time_zone from activities a join sport_centers c on c.id = a.sport_center_id
    where a.user_id = ${user_id} and a.status <> 'deleted' order by a.started_at desc, a.id desc limit 1)`;
}

/** SQL of a `RecentJson`. */
function selectRecent(user_id: string, now: Date): RawBuilder<unknown> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MS);
  // No activity is longer than a day; the index has only the start.
  return sql`
    json_build_object(
      'time_zone', ${selectTimeZone(user_id)},
      'latest', (
        select json_agg(l) from (
          select sport_type, started_at, ended_at, coalesce(paused_s, 0) as paused_s, intensity,
            intensity_confirmed, distance_m, validation = 'referee' as distance_confirmed, rule_version from activities
          where user_id = ${user_id} and status = 'validated'
          order by started_at desc, id desc limit ${SKILL_ACTIVITIES}) l),
      'last_90_days', (
        select json_build_object(
          'points_28_days',
          coalesce(sum(points) filter (where status = 'validated' and ended_at > ${daysAgo(VOLUME_DAYS)}), 0),
          'pairs_90_days', count(distinct (sport_type, sport_center_id)) filter (where status = 'validated'),
          'validated_90_days', count(*) filter (where status = 'validated'),
          'ended_90_days', count(*),
          'unconfirmed', json_agg(json_build_object(
            'week_key', week_key, 'sport_type', sport_type, 'started_at', started_at, 'ended_at', ended_at,
            'paused_s', coalesce(paused_s, 0), 'intensity', intensity, 'intensity_confirmed', intensity_confirmed,
            'distance_m', distance_m, 'distance_confirmed', false, 'rule_version', rule_version))
            filter (where status = 'finished' and started_at > ${daysAgo(TREND_DAYS)}))
        from activities
        where user_id = ${user_id} and status in ('finished', 'validated', 'rejected')
          and ended_at > ${daysAgo(SKILL_DAYS)} and started_at > ${daysAgo(SKILL_DAYS + 1)}))`;
}

function effortOf(facts: ScoredJson): SkillFacts['latest'][number] {
  const { minutes, active_met_thousandths } = scoreOf(facts);
  return { minutes, active_met_thousandths };
}

/** Returns an activity's score without the day's cap. */
function scoreOf({ started_at, ended_at, rule_version, ...facts }: ScoredJson): Score {
  const times = { started_at: Date.parse(started_at), ended_at: Date.parse(ended_at) };
  return scoreActivity({ ...facts, ...times, rule_version: requireRule(rule_version) });
}
