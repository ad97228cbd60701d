import { sql } from 'kysely';
import { expect } from 'vitest';
import type { Database } from '#api/database/database.ts';

/** Ends the connection that holds a session lock, as a proxy or a restart of PostgreSQL does. */
export async function loseSessionLock(database: Database, name: string): Promise<void> {
  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and granted
      and database = (select oid from pg_database where datname = current_database())
      and objid = (hashtext(${name})::bigint & 4294967295)::oid`.execute(database);
  expect(rows).toHaveLength(1);
}
