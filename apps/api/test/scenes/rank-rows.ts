import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { createEventWriter } from '#api/events/events.ts';
import type { Board } from '#api/modules/leaderboards/ranks/boards.ts';
import { ALL_BOARDS_CHANGED } from '#api/modules/leaderboards/service.ts';
import { OVERALL_BOARD } from '../rank-model.ts';

/** Monday of 2026-W47. */
const REACHED_AT_MS = Date.UTC(2026, 10, 16);

/** Creates an athlete whom public boards show. */
export async function addAthlete(database: Database): Promise<string> {
  const id = randomUUID();
  const user = { id, public_id: id.slice(0, 13), email: `${id}@example.org`, name: 'Athlete' };
  await database.insertInto('users').values(user).execute();
  return id;
}

/** Writes what a validation writes: the absolute score with the next version, and a line of the log. */
export async function writeScore(
  on: Database | Trx,
  user_id: string,
  points: number,
  { period, sport, sport_center_id }: Board = OVERALL_BOARD,
  at_ms = REACHED_AT_MS,
): Promise<void> {
  const reached_at = new Date(at_ms);
  await sql`
    insert into board_scores
      (user_id, period, sport, sport_center_id, points, reached_at, friends_points, friends_reached_at)
    values (${user_id}, ${period}, ${sport}, ${sport_center_id}, ${points}, ${reached_at}, 0, ${reached_at})
    on conflict (user_id, period, sport, sport_center_id) do update
      set points = excluded.points, reached_at = excluded.reached_at, version = board_scores.version + 1`.execute(on);
  await sql`insert into board_changes (user_id, periods) values (${user_id}, array[${period}])`.execute(on);
}

/** Notifies every node of scores that a test wrote, as a validation and the operator CLI do. */
export async function tellOfScores(database: Database): Promise<void> {
  const events = createEventWriter(database);
  await events.transact(async (trx) => events.publish(trx, [], [ALL_BOARDS_CHANGED]));
}
