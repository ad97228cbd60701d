import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';

const INTERVAL_MS = 3_600_000;
const RETENTION = '24 hours';
/** Tombstone (value of `periods`): the log was pruned up to this row's transaction. A reader must not read past it. */
export const PRUNED: string[] = [];
const NO_USER_ID = '00000000-0000-0000-0000-000000000000';
/** Rows per statement, so that each is short. */
const BATCH = 20_000;

interface Options {
  database: Database;
  log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/**
 * Job that prunes the change log to the last day, and removes rows numbered by another cluster. A node that slept for
 * longer finds a tombstone among its unread rows and refills its boards.
 */
export function createLogPruning({ database, log }: Options): PeriodicJob {
  return createPeriodicJob({
    name: 'board_log_pruning',
    interval_ms: INTERVAL_MS,
    work: () => pruneLog(database),
    onDone: (pruned) => log.info({ pruned }, 'old changes of boards removed'),
    log,
    failure_message: 'removing old changes of boards failed; retrying later',
  });
}

/** Writes the tombstone first, so that an aborted run has deleted only rows it covers. */
async function pruneLog(database: Database): Promise<number> {
  await deleteForeignRows(database);
  const pruned_to = await insertTombstone(database);
  if (pruned_to === undefined) return 0;
  let pruned = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from board_changes where ctid = any(array(
        select ctid from board_changes
        where xid <= ${pruned_to}::xid8 and not (xid = ${pruned_to}::xid8 and periods is not distinct from ${PRUNED}::text[])
        limit ${BATCH}
      ))`.execute(database);
    pruned += Number(numAffectedRows);
    if (numAffectedRows < BATCH) return pruned;
  }
}

/**
 * A restored dump brings the transaction numbers of another cluster. Numbers not yet assigned here would be read again
 * and again, because their transactions never count as ended. This cluster's own visible rows are always below.
 */
export async function deleteForeignRows(database: Database): Promise<void> {
  await sql`delete from board_changes where xid >= pg_snapshot_xmax(pg_current_snapshot())`.execute(database);
}

/** Returns the newest old transaction; undefined if the only old row is an earlier tombstone. */
async function insertTombstone(database: Database): Promise<string | undefined> {
  const { rows } = await sql<{ xid: string }>`
    insert into board_changes (xid, user_id, periods, created_at)
    select xid, ${NO_USER_ID}::uuid, ${PRUNED}::text[], created_at from (
      select xid, created_at, periods from board_changes where created_at < now() - ${RETENTION}::interval
      order by created_at desc, xid desc limit 1
    ) as newest
    where periods is distinct from ${PRUNED}::text[] returning xid::text`.execute(database);
  return rows[0]?.xid;
}
