import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';

/**
 * Returns the rows that all scans of the work read from tables: what grows with a table that lacks an index. Small tables
 * are read by index too, as large ones are.
 */
export function countRowsRead(database: Database, work: (trx: Trx) => Promise<unknown>): Promise<number> {
  return database.transaction().execute(async (trx) => {
    await sql`set local enable_seqscan = off`.execute(trx);
    const before = await readRowsRead(trx);
    await work(trx);
    return (await readRowsRead(trx)) - before;
  });
}

async function readRowsRead(trx: Trx): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables`.execute(trx);
  return rows[0]?.rows ?? 0;
}
