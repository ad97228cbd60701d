import { seasonKey } from '@sendlap/domain/dates.ts';
import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import {
  type BoardScore,
  isFinalWeek,
  NEVER,
  type ScoredActivity,
  type ScoredWeek,
  weekScoresOf,
  writeBoards,
} from './board-scores.ts';
import { toBoardKey } from './ranks/boards.ts';

type DatedActivity = ScoredActivity & { week_key: string };

/**
 * Compares a user's stored scores with these activities, and final weeks with the ledger's bookings while they were
 * open; returns one line per differing board, with the points that differ.
 */
export async function compareBoards(
  trx: Trx,
  user_id: string,
  activities: DatedActivity[],
  at: Date,
): Promise<{ is: number; should_be: number }[]> {
  const weeks = (await collectWeeks(trx, user_id, activities, at)).flatMap(weekScoresOf);
  const seasons = sumByPeriod(weeks, ({ period }) => seasonKey(period));
  const wanted = new Map(
    [...weeks, ...seasons, ...sumByPeriod(seasons, () => 'all')].map((score) => [toBoardKey(score), score] as const),
  );
  const stored = await trx.selectFrom('board_scores').selectAll().where('user_id', '=', user_id).execute();
  const found = new Map<string, BoardScore>(stored.map((score) => [toBoardKey(score), score]));
  return [...new Set([...wanted.keys(), ...found.keys()])].flatMap((key) => {
    const [is, should_be] = [found.get(key) ?? NO_SCORE, wanted.get(key) ?? NO_SCORE];
    if (is.points !== should_be.points || is.reached_at.getTime() !== should_be.reached_at.getTime()) {
      return [{ is: is.points, should_be: should_be.points }];
    }
    const is_same = is.friends_reached_at.getTime() === should_be.friends_reached_at.getTime();
    if (is_same && is.friends_points === should_be.friends_points) return [];
    return [{ is: is.friends_points, should_be: should_be.friends_points }];
  });
}

/** Writes the differences `compareBoards` would find; returns the numbers of weeks and of changed scores. */
export async function rebuildBoards(
  trx: Trx,
  user_id: string,
  activities: DatedActivity[],
  at: Date,
): Promise<{ weeks: number; changed: number }> {
  const weeks = await collectWeeks(trx, user_id, activities, at);
  const stored = await trx
    .selectFrom('board_scores')
    .select('period')
    .distinct()
    .where('user_id', '=', user_id)
    .where('period', 'like', '%-W%')
    .execute();
  const known = new Set(weeks.map(({ week_key }) => week_key));
  const leftover_weeks = stored
    .filter(({ period }) => !known.has(period))
    .map(({ period }) => ({ week_key: period, activities: [] }));
  const all = [...weeks, ...leftover_weeks];
  return { weeks: all.length, changed: await writeBoards(trx, user_id, all, at) };
}

const NO_SCORE = { points: 0, reached_at: NEVER, friends_points: 0, friends_reached_at: NEVER };

/** Open weeks from the activities, final weeks from the ledger. */
async function collectWeeks(trx: Trx, user_id: string, activities: DatedActivity[], at: Date): Promise<ScoredWeek[]> {
  const open = activities.filter(({ week_key }) => !isFinalWeek(week_key, at));
  const final = (await loadBookedActivities(trx, user_id)).filter(({ week_key }) => isFinalWeek(week_key, at));
  const weeks = Map.groupBy([...open, ...final], ({ week_key }) => week_key);
  return [...weeks].map(([week_key, each]) => ({ week_key, activities: each }));
}

/** The ledger's bookings of each week while it was open: the week's activities as its boards finally had them. */
async function loadBookedActivities(trx: Trx, user_id: string): Promise<DatedActivity[]> {
  const { rows } = await sql<{ points: number; inputs: Record<keyof DatedActivity, string> }>`
    select sum(points)::int as points,
      (array_agg(inputs order by id desc) filter (where kind <> 'reversal'))[1] as inputs
    from score_ledger
    where user_id = ${user_id} and on_boards and inputs ->> 'week_key' is not null
    group by inputs ->> 'week_key', activity_id
    having sum(points) > 0`.execute(trx);
  return rows.map(({ points, inputs }) => {
    const { week_key, sport_type, sport_center_id, validation, validated_at } = inputs;
    return {
      week_key,
      sport_type,
      sport_center_id,
      validation,
      points,
      validated_at: new Date(validated_at),
    } as DatedActivity;
  });
}

/** Scores of a longer period: sums over its parts. */
function sumByPeriod(scores: BoardScore[], periodOf: (score: BoardScore) => string): BoardScore[] {
  const sums = new Map<string, BoardScore>();
  for (const score of scores) {
    const { sport, sport_center_id } = score;
    const period = periodOf(score);
    const sum = sums.get(toBoardKey({ period, sport, sport_center_id })) ?? {
      ...NO_SCORE,
      period,
      sport,
      sport_center_id,
    };
    sums.set(toBoardKey(sum), {
      ...sum,
      points: sum.points + score.points,
      reached_at: laterOf(sum.reached_at, score.reached_at),
      friends_points: sum.friends_points + score.friends_points,
      friends_reached_at: laterOf(sum.friends_reached_at, score.friends_reached_at),
    });
  }
  return [...sums.values()];
}

function laterOf(one: Date, other: Date): Date {
  return one > other ? one : other;
}
