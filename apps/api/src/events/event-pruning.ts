import { sql } from 'kysely';
import type { Database } from '../database/database.ts';
import { createPeriodicJob, type PeriodicJob } from '../platform/periodic-job.ts';

const INTERVAL_MS = 3_600_000;
/** A device that was away for longer reads everything again. */
const RETENTION_MS = 7 * 86_400_000;
/** Rows per statement, to keep each statement short. */
const BATCH = 10_000;

interface Options {
  database: Database;
  now: () => Date;
  log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/** Job that removes stored events older than seven days. Several nodes may run it at once. */
export function createEventPruning({ database, now, log }: Options): PeriodicJob {
  return createPeriodicJob({
    name: 'event_pruning',
    interval_ms: INTERVAL_MS,
    work: () => pruneEvents(database, new Date(now().getTime() - RETENTION_MS)),
    onDone: (pruned) => log.info({ pruned }, 'old events removed'),
    log,
    failure_message: 'removing old events failed; retrying later',
  });
}

async function pruneEvents(database: Database, before: Date): Promise<number> {
  let pruned = 0;
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from user_events where ctid = any(array(
        select ctid from user_events where created_at < ${before} limit ${BATCH} for update skip locked
      ))`.execute(database);
    pruned += Number(numAffectedRows);
    if (numAffectedRows < BATCH) return pruned;
  }
}
