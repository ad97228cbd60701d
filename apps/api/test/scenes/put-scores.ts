import type { Sport } from '@sendlap/domain/sports.ts';
import type { Database } from '#api/database/database.ts';
import { ALL_CENTERS } from '#api/modules/leaderboards/ranks/boards.ts';

export interface BoardRow {
  who: { user: { id: string } };
  period: string;
  sport?: 'all' | Sport;
  /** All centers by default. */
  center?: string | undefined;
  points: number;
  /** The public points by default. */
  friends_points?: number;
  /** ms epoch; the same moment for all by default. */
  reached_at?: number;
}

const REACHED_AT = Date.UTC(2026, 10, 16, 18);

/** Stores scores, with the log, as if they had been earned; a board that was read before learns of them later. */
export async function putScores(database: Database, rows: readonly BoardRow[]): Promise<void> {
  await database.transaction().execute(async (trx) => {
    const scores = rows.map(({ who, period, sport = 'all', center, points, friends_points, reached_at }) => ({
      user_id: who.user.id,
      period,
      sport,
      sport_center_id: center ?? ALL_CENTERS,
      points,
      reached_at: new Date(reached_at ?? REACHED_AT),
      friends_points: friends_points ?? points,
      friends_reached_at: new Date(reached_at ?? REACHED_AT),
    }));
    await trx.insertInto('board_scores').values(scores).execute();
    const changes = scores.map(({ user_id, period }) => ({ user_id, periods: [period] }));
    await trx.insertInto('board_changes').values(changes).execute();
  });
}
