import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Runs the work on the node that gets the lock: a session lock of PostgreSQL, which ends with its connection. Returns
 * undefined without running it if another one holds the lock. `assertLocked` throws once the connection, and with it the
 * lock, is lost. The work needs another connection of the pool.
 */
export async function withSessionLock<Value>(
  database: Database,
  name: string,
  work: (assertLocked: () => Promise<void>) => Promise<Value>,
): Promise<Value | undefined> {
  return database.connection().execute(async (connection) => {
    const lock = await sql<{ is_acquired: boolean }>`
      select pg_try_advisory_lock(hashtext(${name})) as is_acquired`.execute(connection);
    if (!lock.rows[0]?.is_acquired) return undefined;
    try {
      return await work(async () => void (await sql`select 1`.execute(connection)));
    } finally {
      await sql`select pg_advisory_unlock(hashtext(${name}))`.execute(connection).catch(() => {});
    }
  });
}
