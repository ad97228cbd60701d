import type { Database } from './database.ts';

/**
 * Returns the id of the database's present life. A restore gives another one, so that devices send again what the server
 * acknowledged after the backup.
 */
export async function readEpoch(database: Database): Promise<string> {
  const row = await database.selectFrom('sport_center_version').select('database_id').executeTakeFirstOrThrow();
  return row.database_id;
}
