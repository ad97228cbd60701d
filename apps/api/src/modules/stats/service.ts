import type { Skills, Trend } from '@sendlap/contract/stats.ts';
import type { AthleteWeek } from '@sendlap/domain/athlete-weeks.ts';
import { addDays, isoWeekAt, isoWeekKey, isoWeekRange } from '@sendlap/domain/dates.ts';
import { skillsOf } from '@sendlap/domain/skills.ts';
import { type StreakState, streakAt } from '@sendlap/domain/streaks.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#api/platform/database.ts';
import { PREPARED } from '#api/platform/statement-pipeline.ts';
import { allWeeksOf, compareWeeks, rebuildWeeks, weekOf, weekParts } from './athlete-weeks.ts';
import { type RecentJson, selectRecent, skillFactsOf } from './recent.ts';

const TREND_WEEKS = 12;

export interface StatsService {
  getSkills(user_id: string): Promise<Skills>;
  getTrend(user_id: string): Promise<Trend>;
}

/** All weeks of an athlete, column by column: PostgreSQL writes that far faster than a row for each week. */
interface WeekColumns {
  week_key: string[] | null;
  points: number[];
  days: number[];
  climbs: number[];
  swims: number[];
  swum_m: number[];
  longest_climb_minutes: number[];
  /** Ids with blanks between them. */
  sport_center_ids: string[];
  proofs: string[];
}

/** The columns of `selectStats`. */
export interface StatsJson {
  weeks: WeekColumns;
  recent: RecentJson;
}

/** Where an athlete stands; the week is that of now in the zone of their latest activity's center, else of UTC. */
export interface Stats {
  week_key: string;
  time_zone: string;
  weeks: AthleteWeek[];
  streak: StreakState;
  skills: Skills;
  trend: Trend;
}

export function createStatsService(database: Database, now: () => Date): StatsService {
  const read = async (user_id: string) => {
    const at = now();
    const { rows } = await sql<StatsJson>`${PREPARED}select ${selectStats(user_id, at)}`.execute(database);
    const [row] = rows;
    if (!row) throw new Error('a select without a table gives one row');
    return readStats(row, at);
  };
  return {
    getSkills: async (user_id) => (await read(user_id)).skills,
    getTrend: async (user_id) => (await read(user_id)).trend,
  };
}

/** SQL of all weeks of an athlete; their id, or the column that holds it. */
function selectWeeks(user_id: string | RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select json_build_object(
      'week_key', array_agg(week_key), 'points', array_agg(points), 'days', array_agg(days),
      'climbs', array_agg(climbs), 'swims', array_agg(swims), 'swum_m', array_agg(swum_m),
      'longest_climb_minutes', array_agg(longest_climb_minutes),
      'sport_center_ids', array_agg(array_to_string(sport_center_ids, ' ')), 'proofs', array_agg(proofs))
    from athlete_weeks where user_id = ${user_id})`;
}

function readWeeks(columns: WeekColumns): AthleteWeek[] {
  const { points, days, climbs, swims, swum_m, longest_climb_minutes, sport_center_ids, proofs } = columns;
  return (columns.week_key ?? []).map((week_key, nth) => ({
    week_key,
    points: points[nth] ?? 0,
    days: days[nth] ?? 0,
    climbs: climbs[nth] ?? 0,
    swims: swims[nth] ?? 0,
    swum_m: swum_m[nth] ?? 0,
    longest_climb_minutes: longest_climb_minutes[nth] ?? 0,
    sport_center_ids: sport_center_ids[nth]?.split(' ') ?? [],
    proofs: proofs[nth] ?? '',
  }));
}

/** SQL of the columns of `StatsJson`. */
export function selectStats(user_id: string, now: Date): RawBuilder<unknown> {
  return sql`${selectWeeks(user_id)} as weeks, ${selectRecent(user_id, now)} as recent`;
}

export function readStats({ weeks: columns, recent }: StatsJson, now: Date): Stats {
  const weeks = readWeeks(columns);
  const time_zone = recent.time_zone ?? 'UTC';
  const week_key = isoWeekAt(now.getTime(), time_zone);
  const streak = streakAt(weeks, week_key);
  const skills = { axes: skillsOf(skillFactsOf(recent, streak.on_target_of_8)) };
  return { week_key, time_zone, weeks, streak, skills, trend: trendOf(weeks, week_key) };
}

function trendOf(weeks: AthleteWeek[], present_key: string): Trend {
  const points = new Map(weeks.map((week) => [week.week_key, week.points]));
  const monday = isoWeekRange(present_key).starts_on;
  const mondays = Array.from({ length: TREND_WEEKS }, (_, nth) => addDays(monday, 7 * (nth + 1 - TREND_WEEKS)));
  return {
    weeks: mondays.map((starts_on) => {
      const key = isoWeekKey(starts_on);
      return { key, starts_on, points: points.get(key) ?? 0 };
    }),
  };
}

/** The weeks of athletes as other modules read and write them. */
export const athleteWeeks = {
  select: selectWeeks,
  read: readWeeks,
  /** Of all validated activities of a week. */
  sum: weekOf,
  /** All weeks of an athlete, of all of their activities. */
  of: allWeeksOf,
  /** Brings weeks of an athlete in line, as parts of the caller's statement. */
  partsOf: weekParts,
  rebuild: rebuildWeeks,
  compare: compareWeeks,
};
