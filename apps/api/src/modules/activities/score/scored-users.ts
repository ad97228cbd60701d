import { sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import { type ActivityRow, activitiesWithCenter } from '../store.ts';

const PAGE_SIZE = 500;

/**
 * Everybody with an activity, a confirmation given or a derived row, page by page. Each person is looked up by an index:
 * an `exists` of all of them would read the whole tables for every page.
 */
export async function* scoredUsers(database: Database): AsyncGenerator<string> {
  let after = '00000000-0000-0000-0000-000000000000';
  while (true) {
    const { rows } = await sql<{ id: string }>`
      select id from users u
      cross join lateral (
        (select from activities where user_id = u.id order by user_id, started_at desc, id desc limit 1)
        union all
        (select from activities where decided_by = u.id order by decided_by, local_date limit 1)
        union all
        (select from board_scores where user_id = u.id order by user_id, period, sport, sport_center_id limit 1)
        union all
        (select from athlete_weeks where user_id = u.id order by user_id, week_key limit 1)
        limit 1) something
      where id > ${after}
      order by id limit ${PAGE_SIZE}`.execute(database);
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** All of the user, deleted ones too. */
export async function readActivities(trx: Trx, user_id: string): Promise<ActivityRow[]> {
  return activitiesWithCenter(trx).where('user_id', '=', user_id).execute();
}
