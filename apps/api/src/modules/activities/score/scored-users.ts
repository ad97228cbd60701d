import { sql } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import type { ActivityRow } from '../store.ts';

const PAGE_SIZE = 500;

/** Everybody with an activity or a score on a board, page by page. */
export async function* scoredUsers(database: Database): AsyncGenerator<string> {
  let after = '00000000-0000-0000-0000-000000000000';
  while (true) {
    const { rows } = await sql<{ id: string }>`
      select id from users u where id > ${after}
        and (exists (select from activities a where a.user_id = u.id)
          or exists (select from board_scores b where b.user_id = u.id))
      order by id limit ${PAGE_SIZE}`.execute(database);
    for (const { id } of rows) yield id;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}

/** All of the user, deleted ones too. */
export async function readActivities(trx: Trx, user_id: string): Promise<ActivityRow[]> {
  return trx
    .selectFrom('activities')
    .innerJoin('sport_centers', 'sport_centers.id', 'activities.sport_center_id')
    .selectAll('activities')
    .select('sport_centers.name as sport_center_name')
    .where('user_id', '=', user_id)
    .execute();
}
