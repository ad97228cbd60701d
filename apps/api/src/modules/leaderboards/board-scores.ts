import { addDays, isoWeekKey, isoWeekRange, seasonKey, seasonRange } from '@sendlap/domain/dates.ts';
import { WEEKLY_BEST_COUNT, weeklyScore } from '@sendlap/domain/ranks.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { isFinal } from './final-weeks.ts';
import { ALL_CENTERS } from './ranks/boards.ts';

/** The inputs of a week's score. */
export interface ScoredActivity {
  sport_type: Sport;
  sport_center_id: string;
  validation: 'none' | 'peer' | 'venue' | 'referee';
  points: number;
  validated_at: Date | null;
}

export interface ScoredWeek {
  week_key: string;
  /** All validated activities of the user's week; those confirmed by friends count only on the friends' boards. */
  activities: ScoredActivity[];
}

export interface BoardScore {
  /** '2026-W47', '2026-Q4' or 'all'. */
  period: string;
  sport: 'all' | Sport;
  sport_center_id: string;
  points: number;
  reached_at: Date;
  friends_points: number;
  friends_reached_at: Date;
}

/** `reached_at` of a score of 0 points, a fixed value so that equal scores compare as equal rows. */
export const NEVER = new Date(0);
/** The first year with boards. */
const FIRST_YEAR = 2020;
const QUARTERS = [1, 2, 3, 4];

/** Whether the week's boards are frozen at that moment; season and all-time boards keep its points. */
export function isFinalWeek(week_key: string, at: Date): boolean {
  return isFinal(isoWeekRange(week_key).ends_on, at.getTime());
}

/** Returns the user's scores of a week on every board it counts for: {all, sport} × {all centers, center}. */
export function weekScoresOf({ week_key, activities }: ScoredWeek): BoardScore[] {
  const boards = new Map<string, Pick<BoardScore, 'sport' | 'sport_center_id'> & { entries: ScoredActivity[] }>();
  for (const activity of activities) {
    if (activity.points === 0 || activity.validation === 'none') continue;
    for (const sport of ['all', activity.sport_type] as const) {
      for (const sport_center_id of [ALL_CENTERS, activity.sport_center_id]) {
        const key = `${sport} ${sport_center_id}`;
        const board = boards.get(key) ?? { sport, sport_center_id, entries: [] };
        board.entries.push(activity);
        boards.set(key, board);
      }
    }
  }
  return [...boards.values()].map(({ sport, sport_center_id, entries }) => {
    const public_score = bestOf(entries.filter(({ validation }) => validation === 'venue' || validation === 'referee'));
    const friends_score = bestOf(entries);
    return {
      ...{ period: week_key, sport, sport_center_id },
      ...public_score,
      ...{ friends_points: friends_score.points, friends_reached_at: friends_score.reached_at },
    };
  });
}

/** Returns the score of the best five by points (ties: earlier scan first); `reached_at`: the latest of their scans. */
function bestOf(entries: ScoredActivity[]): Pick<BoardScore, 'points' | 'reached_at'> {
  const best = entries
    .toSorted((a, b) => b.points - a.points || scanTimeOf(a) - scanTimeOf(b))
    .slice(0, WEEKLY_BEST_COUNT);
  const reached_at = new Date(Math.max(NEVER.getTime(), ...best.map(scanTimeOf)));
  return { points: weeklyScore(best.map(({ points }) => points)), reached_at };
}

function scanTimeOf({ validated_at }: ScoredActivity): number {
  return validated_at?.getTime() ?? NEVER.getTime();
}

/**
 * Returns CTEs that recompute the user's scores of these weeks, their seasons and all time from the activities; the CTE
 * `board_written` has a row per changed score. Skips weeks that are final at `at`. The caller holds the lock of the
 * user's row, so the rows read here are unchanged when written.
 */
export function boardCtes(user_id: string, weeks: ScoredWeek[], at: Date): RawBuilder<unknown>[] {
  const open = weeks.filter(({ week_key }) => !isFinalWeek(week_key, at));
  return open.length === 0 ? [] : boardWriteCtes(user_id, open, at);
}

/** Writes the scores of these weeks, even if final; returns the number of changed scores. */
export async function writeBoards(trx: Trx, user_id: string, weeks: ScoredWeek[], at: Date): Promise<number> {
  if (weeks.length === 0) return 0;
  const { rows } = await sql<{ changed: number }>`
    with ${sql.join(boardWriteCtes(user_id, weeks, at))}
    select count(*)::int as changed from board_written`.execute(trx);
  return rows[0]?.changed ?? 0;
}

function boardWriteCtes(user_id: string, weeks: ScoredWeek[], at: Date): RawBuilder<unknown>[] {
  const week_keys = weeks.map(({ week_key }) => week_key);
  const seasons = [...new Set(week_keys.map(seasonKey))];
  const season_periods = seasons.flatMap((season) =>
    [season, ...weeksOfSeason(season)].map((period) => ({ period, season })),
  );
  const other_weeks = seasons.flatMap(weeksOfSeason).filter((week) => !week_keys.includes(week));
  const other_seasons = seasonsUntil(at.getUTCFullYear() + 1).filter((season) => !seasons.includes(season));
  const periods = ['all', ...other_seasons, ...season_periods.map(({ period }) => period)];
  return [
    sql`
    board_was as materialized (
      select period, sport, sport_center_id, points, reached_at, friends_points, friends_reached_at
      from board_scores where user_id = ${user_id} and period = any(${periods}::text[]))`,
    ...targetScoreCtes(weeks, week_keys),
    sql`
    board_season as (
      select s.season as period, sport, sport_center_id, ${SUMS}
      from (
        select * from board_week
        union all select * from board_was where period = any(${other_weeks}::text[])
        -- Scores without points left become 0.
        union all select ${ZERO_SCORE} from board_was where period = any(${seasons}::text[])
      ) b join jsonb_to_recordset(${JSON.stringify(season_periods)}::jsonb) s(period text, season text) using (period)
      group by s.season, sport, sport_center_id)`,
    sql`
    board_all as (
      select 'all' as period, sport, sport_center_id, ${SUMS}
      from (
        select * from board_season
        union all select * from board_was where period = any(${other_seasons}::text[])
        union all select ${ZERO_SCORE} from board_was where period = 'all'
      ) b group by sport, sport_center_id)`,
    ...changedScoreCtes(user_id),
  ];
}

/** The target scores of the weeks; a board without activities in the week has 0. */
function targetScoreCtes(weeks: ScoredWeek[], week_keys: string[]): RawBuilder<unknown>[] {
  return [
    sql`
    board_wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(weeks.flatMap(weekScoresOf))}::jsonb) as w(
        period text, sport text, sport_center_id uuid, points integer, reached_at timestamptz,
        friends_points integer, friends_reached_at timestamptz))`,
    sql`
    board_week as (
      select * from board_wanted
      union all
      select ${ZERO_SCORE} from board_was b
      where period = any(${week_keys}::text[]) and not exists (select from board_wanted w
        where w.period = b.period and w.sport = b.sport and w.sport_center_id = b.sport_center_id))`,
  ];
}

/** Locks a row and writes to the change log only if the score differs. */
function changedScoreCtes(user_id: string): RawBuilder<unknown>[] {
  return [
    sql`
    board_written as (
      insert into board_scores as b
        (user_id, period, sport, sport_center_id, points, reached_at, friends_points, friends_reached_at)
      select ${user_id}, period, sport, sport_center_id, n.points, n.reached_at, n.friends_points, n.friends_reached_at
      from (select * from board_week union all select * from board_season union all select * from board_all) n
      left join board_was w using (period, sport, sport_center_id)
      where (n.points, n.reached_at, n.friends_points, n.friends_reached_at) is distinct from (
        coalesce(w.points, 0), coalesce(w.reached_at, 'epoch'),
        coalesce(w.friends_points, 0), coalesce(w.friends_reached_at, 'epoch'))
      on conflict (user_id, period, sport, sport_center_id) do update
        set points = excluded.points, reached_at = excluded.reached_at, friends_points = excluded.friends_points,
          friends_reached_at = excluded.friends_reached_at, version = b.version + 1
      returning b.period)`,
    sql`
    board_noted as (
      insert into board_changes (user_id, periods)
      select ${user_id}, array_agg(distinct period) from board_written having count(*) > 0)`,
  ];
}

const SUMS = sql`
        sum(points)::integer as points,
        coalesce(max(reached_at) filter (where points > 0), 'epoch') as reached_at,
        sum(friends_points)::integer as friends_points,
        coalesce(max(friends_reached_at) filter (where friends_points > 0), 'epoch') as friends_reached_at`;

const ZERO_SCORE = sql`
        period, sport, sport_center_id, 0, 'epoch'::timestamptz, 0, 'epoch'::timestamptz`;

const season_weeks = new Map<string, string[]>();

function weeksOfSeason(season: string): string[] {
  const known = season_weeks.get(season);
  if (known) return known;
  const { starts_on, ends_on } = seasonRange(season);
  const weeks: string[] = [];
  for (let monday = starts_on; monday <= ends_on; monday = addDays(monday, 7)) weeks.push(isoWeekKey(monday));
  season_weeks.set(season, weeks);
  return weeks;
}

function seasonsUntil(year: number): string[] {
  const years = Array.from({ length: Math.max(0, year - FIRST_YEAR + 1) }, (_, nth) => FIRST_YEAR + nth);
  return years.flatMap((each) => QUARTERS.map((quarter) => `${each}-Q${quarter}`));
}
