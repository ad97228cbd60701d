import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';

/** Returns how many connections of this database wait for a lock. */
export async function countWaiting(database: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(database);
  return rows[0]?.waiting ?? 0;
}
