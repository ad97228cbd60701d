import type { Sport } from '@sendlap/domain/scoring.ts';
import type { Database } from '#api/platform/database.ts';

/** Stands for "all centers" in week_scores: a primary key holds no null. */
export const ALL_CENTERS = '00000000-0000-0000-0000-000000000000';

export interface Board {
  week_key: string;
  sport: 'all' | Sport;
  sport_center_id: string;
}

export interface ScoreRow {
  user_id: string;
  points: number;
  reached_at: Date;
  display_name: string | null;
  public_id: string;
}

/** Locked accounts are gone from every board at once. */
function scoresOn(database: Database, board: Board) {
  return database
    .selectFrom('week_scores')
    .where('week_key', '=', board.week_key)
    .where('sport', '=', board.sport)
    .where('sport_center_id', '=', board.sport_center_id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('users as locked')
            .select('locked.id')
            .whereRef('locked.id', '=', 'week_scores.user_id')
            .where('locked.erase_after', 'is not', null),
        ),
      ),
    );
}

const ROW = ['user_id', 'points', 'reached_at', 'display_name', 'public_id'] as const;

/** Rows after `skip`, best first; ties by who reached it first, then by id. */
export async function listScores(database: Database, board: Board, skip: number, limit: number): Promise<ScoreRow[]> {
  return scoresOn(database, board)
    .innerJoin('users', 'users.id', 'week_scores.user_id')
    .select(ROW)
    .orderBy('points', 'desc')
    .orderBy('reached_at')
    .orderBy('user_id')
    .offset(skip)
    .limit(limit)
    .execute();
}

export async function findScore(database: Database, board: Board, user_id: string): Promise<ScoreRow | undefined> {
  return scoresOn(database, board)
    .innerJoin('users', 'users.id', 'week_scores.user_id')
    .select(ROW)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
}

/** How many have more than these points; without points, how many there are. */
export async function countScores(database: Database, board: Board, more_than = 0): Promise<number> {
  const row = await scoresOn(database, board)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('points', '>', more_than)
    .executeTakeFirstOrThrow();
  return row.count;
}
