import { FRIEND_LOOK_UPS_A_DAY } from '@sendlap/contract/friends.ts';
import { DAY_MS } from '@sendlap/domain/durations.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';

/**
 * Counts one look-up of a public id, by a search or a request, in the database, so that all nodes agree and restarts
 * forget nothing. Throws `too_many_requests` beyond the limit of a UTC day, `unauthenticated` for a user who no longer
 * exists.
 */
export async function countLookUp(database: Database, user_id: string, now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10);
  const { rows } = await sql`
    insert into friend_look_ups as known (user_id, day, look_ups)
    select id, ${day}::date, 1 from users where id = ${user_id}
    on conflict (user_id) do update
      set day = excluded.day, look_ups = case known.day when excluded.day then known.look_ups + 1 else 1 end
      where known.day <> excluded.day or known.look_ups < ${FRIEND_LOOK_UPS_A_DAY}
    returning look_ups`.execute(database);
  if (rows.length > 0) return;
  const user = await database.selectFrom('users').select('id').where('id', '=', user_id).executeTakeFirst();
  if (!user) throw new AppError('unauthenticated', 'This account is no longer there');
  throw new AppError('too_many_requests', 'You looked for many public ids today, please wait until tomorrow', {
    retry_after_s: Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1000),
  });
}
