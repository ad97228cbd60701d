import type { Database } from '#api/platform/database.ts';

export async function listFriendIds(database: Database, user_id: string): Promise<string[]> {
  const rows = await database
    .selectFrom('friendships')
    .select('user_high as id')
    .where('user_low', '=', user_id)
    .unionAll(database.selectFrom('friendships').select('user_low as id').where('user_high', '=', user_id))
    .execute();
  return rows.map(({ id }) => id);
}

export async function hasFriendship(database: Database, user_id: string, other_id: string): Promise<boolean> {
  // The order of UUIDs in PostgreSQL is that of their texts in lower case.
  const [user_low = '', user_high = ''] = [user_id, other_id].sort();
  const row = await database
    .selectFrom('friendships')
    .select('id')
    .where('user_low', '=', user_low)
    .where('user_high', '=', user_high)
    .executeTakeFirst();
  return row !== undefined;
}
