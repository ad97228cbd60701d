import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';
import type { BroadcastType, EventWriter } from '#api/platform/events.ts';
import { ALL_CENTERS } from './ranks/boards.ts';
import { IS_ON_BOARDS } from './ranks/on-boards.ts';

/** Tells everybody that any board may have changed. */
export const EVERY_BOARD: BroadcastType = { type: 'leaderboard_changed', key: 'all', sport_center_id: ALL_CENTERS };

/**
 * Runs what may change whether public boards show the user (their choice, their age, a lock), in one transaction that
 * holds the user's row first, as every writer of boards does. Where they come or go, all their scores get a new version
 * with it, and every index is told.
 */
export async function changeVisibility<Value>(
  events: EventWriter,
  user_id: string,
  run: (trx: Trx) => Promise<Value>,
): Promise<Value> {
  return events.transact(async (trx) => {
    // A statement of its own: one that waits for the row would look at the age from before it waited.
    await trx.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().execute();
    const was_shown = await isShown(trx, user_id);
    const value = await run(trx);
    if ((await isShown(trx, user_id)) !== was_shown) {
      await renewScores(trx, user_id);
      events.tell(trx, [], [EVERY_BOARD]);
    }
    return value;
  });
}

/** False for somebody who is not there. */
async function isShown(trx: Trx, user_id: string): Promise<boolean> {
  const { rows } = await sql<{ shown: boolean }>`
    select ${IS_ON_BOARDS} as shown from users u where u.id = ${user_id}`.execute(trx);
  return rows[0]?.shown ?? false;
}

/** An index drops what has no higher version than what it knows. */
async function renewScores(trx: Trx, user_id: string): Promise<void> {
  await sql`
    with renewed as (update board_scores set version = version + 1 where user_id = ${user_id} returning 1)
    insert into board_changes (user_id, periods)
    select ${user_id}, null from renewed having count(*) > 0`.execute(trx);
}
