import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import type { Board } from './ranks/boards.ts';

export interface Score {
  points: number;
  reached_at: Date;
}

/** The user's score on the public board, if they were visible; undefined for none or 0 points. */
export async function findScore(database: Database, board: Board, user_id: string): Promise<Score | undefined> {
  return database
    .selectFrom('board_scores')
    .select(['points', 'reached_at'])
    .where('user_id', '=', user_id)
    .where('period', '=', board.period)
    .where('sport', '=', board.sport)
    .where('sport_center_id', '=', board.sport_center_id)
    .where('points', '>', 0)
    .executeTakeFirst();
}

export interface FriendScore extends Score {
  user_id: string;
  display_name: string | null;
  public_id: string;
  /** False if the user opted out (the default is true). */
  boards: boolean;
}

/** The scores of these users on the board including confirmations by friends, best first, without locked accounts. */
export async function listFriendScores(database: Database, board: Board, user_ids: string[]): Promise<FriendScore[]> {
  return database
    .selectFrom('board_scores')
    .innerJoin('users', 'users.id', 'board_scores.user_id')
    .select(['user_id', 'friends_points as points', 'friends_reached_at as reached_at'])
    .select(['display_name', 'public_id', 'boards'])
    .where('user_id', '=', sql<string>`any(${user_ids}::uuid[])`)
    .where('period', '=', board.period)
    .where('sport', '=', board.sport)
    .where('sport_center_id', '=', board.sport_center_id)
    .where('friends_points', '>', 0)
    .where('is_active', '=', true)
    .orderBy('friends_points', 'desc')
    .orderBy('friends_reached_at')
    .orderBy('user_id')
    .execute();
}

/** Returns the zone of the center of the user's latest activity; undefined without activities. */
export async function findLatestZone(database: Database, user_id: string): Promise<string | undefined> {
  const row = await database
    .selectFrom('activities')
    .innerJoin('sport_centers', 'sport_centers.id', 'activities.sport_center_id')
    .select('sport_centers.time_zone')
    .where('user_id', '=', user_id)
    .where('status', '!=', 'deleted')
    .orderBy('activities.started_at', 'desc')
    .orderBy('activities.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.time_zone;
}
