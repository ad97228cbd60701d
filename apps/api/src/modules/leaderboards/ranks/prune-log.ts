import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';

const INTERVAL_MS = 3_600_000;
const KEPT = '24 hours';
/** As the periods of a row: all up to its transaction was removed. Nobody is to read over it. */
export const PRUNED: string[] = [];
const NOBODY = '00000000-0000-0000-0000-000000000000';
/** Rows of one statement, so that it is a short one. */
const BATCH = 20_000;

interface Options {
  database: Database;
  log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/**
 * The job that shortens the log of changes to the last day, by what another cluster numbered too. A node that slept for longer finds a mark in what it
 * has not read, and fills its boards anew.
 */
export function createLogPruning({ database, log }: Options): PeriodicJob {
  return createPeriodicJob({
    interval_ms: INTERVAL_MS,
    work: () => pruneLog(database),
    onDone: (pruned) => log.info({ pruned }, 'old changes of boards removed'),
    log,
    failure: 'removing old changes of boards failed, it will be tried again',
  });
}

/** The mark is set first, so that a run that breaks off has removed nothing but what is marked. */
async function pruneLog(database: Database): Promise<number> {
  await removeForeign(database);
  const upto = await markOld(database);
  if (upto === undefined) return 0;
  let pruned = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from board_changes where ctid = any(array(
        select ctid from board_changes
        where xid <= ${upto}::xid8 and not (xid = ${upto}::xid8 and periods is not distinct from ${PRUNED}::text[])
        limit ${BATCH}
      ))`.execute(database);
    pruned += Number(numAffectedRows);
    if (numAffectedRows < BATCH) return pruned;
  }
}

/**
 * A dump brings the numbers of another cluster along. Those that are not given out here yet would be read again and again:
 * nobody has seen their transactions end. What is this cluster's own and can be seen is always below.
 */
export async function removeForeign(database: Database): Promise<void> {
  await sql`delete from board_changes where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(database);
}

/** The newest of the old transactions; undefined where nothing is old but an earlier mark. */
async function markOld(database: Database): Promise<string | undefined> {
  const { rows } = await sql<{ xid: string }>`
    insert into board_changes (xid, user_id, periods, created_at)
    select xid, ${NOBODY}::uuid, ${PRUNED}::text[], created_at from (
      select xid, created_at, periods from board_changes where created_at < now() - ${KEPT}::interval
      order by created_at desc, xid desc limit 1
    ) as newest
    where periods is distinct from ${PRUNED}::text[] returning xid::text`.execute(database);
  return rows[0]?.xid;
}
