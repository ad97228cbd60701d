import type { Sport } from '@sendlap/domain/scoring.ts';
import type { Database, Trx } from '#api/platform/database.ts';

/** Stands for "all centers" in week_scores: a primary key holds no null. */
export const ALL_CENTERS = '00000000-0000-0000-0000-000000000000';

export interface Board {
  week_key: string;
  sport: 'all' | Sport;
  sport_center_id: string;
}

export interface WeekScore {
  sport: 'all' | Sport;
  sport_center_id: string;
  points: number;
  reached_at: Date;
}

export interface ScoreRow {
  user_id: string;
  points: number;
  reached_at: Date;
  display_name: string | null;
  public_id: string;
}

export interface ScoredActivity {
  sport_type: Sport;
  sport_center_id: string;
  points: number;
  validated_at: Date;
}

/** The user's activities of a week that public boards count. */
export async function listScoredActivities(trx: Trx, user_id: string, week_key: string): Promise<ScoredActivity[]> {
  return trx
    .selectFrom('activities')
    .select(['sport_type', 'sport_center_id', 'points'])
    .select((eb) => eb.ref('validated_at').$notNull().as('validated_at'))
    .where('user_id', '=', user_id)
    .where('week_key', '=', week_key)
    .where('status', '=', 'validated')
    .where('validation', 'in', ['venue', 'referee'])
    .where('points', '>', 0)
    .execute();
}

/** Replaces all of a user's scores of a week; the version counts the changes of each row. */
export async function replaceWeekScores(
  trx: Trx,
  user_id: string,
  week_key: string,
  scores: WeekScore[],
): Promise<void> {
  const old = await trx
    .selectFrom('week_scores')
    .select(['sport', 'sport_center_id'])
    .where('user_id', '=', user_id)
    .where('week_key', '=', week_key)
    .execute();
  const kept = new Set(scores.map((score) => `${score.sport} ${score.sport_center_id}`));
  for (const gone of old.filter((row) => !kept.has(`${row.sport} ${row.sport_center_id}`))) {
    await trx
      .deleteFrom('week_scores')
      .where('user_id', '=', user_id)
      .where('week_key', '=', week_key)
      .where('sport', '=', gone.sport)
      .where('sport_center_id', '=', gone.sport_center_id)
      .execute();
  }
  if (scores.length === 0) return;
  await trx
    .insertInto('week_scores')
    .values(scores.map((score) => ({ user_id, week_key, ...score })))
    .onConflict((conflict) =>
      conflict.columns(['week_key', 'sport', 'sport_center_id', 'user_id']).doUpdateSet((eb) => ({
        points: eb.ref('excluded.points'),
        reached_at: eb.ref('excluded.reached_at'),
        version: eb('week_scores.version', '+', 1),
      })),
    )
    .execute();
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
