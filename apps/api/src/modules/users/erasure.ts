import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { removeErasedSessions } from '#api/sessions/end-sessions.ts';
import { eraseUser } from './erase-user.ts';
import type { UserService } from './service.ts';

const INTERVAL_MS = 3_600_000;
/** An arbitrary number that no other advisory lock uses. */
const LOCK_KEY = 7_305_113_902;

interface ErasureOptions {
  /** Without timeouts: erasing an account of years takes its time. */
  database: Database;
  users: Pick<UserService, 'recordChange'>;
  now: () => Date;
  log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/**
 * Job that erases all users whose time has come. A run throws its first error after all users had their turn. Of
 * several nodes only one works at a time.
 */
export function createErasureJob({ database, users, now, log }: ErasureOptions): PeriodicJob {
  return createPeriodicJob({
    name: 'erasure',
    interval_ms: INTERVAL_MS,
    work: () => runErasure({ database, users, now }),
    onDone: (erased) => log.info({ erased }, 'accounts erased'),
    log,
    failure_message: 'erasing accounts failed; retrying later',
  });
}

/** A separate connection holds the lock, so that each user is erased in a transaction on another one. */
function runErasure(run: Pick<ErasureOptions, 'database' | 'users' | 'now'>): Promise<number> {
  return run.database.connection().execute(async (holder) => {
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(${LOCK_KEY}) as got`.execute(holder);
    if (!rows[0]?.got) return 0;
    try {
      return await eraseAllDue(run.database, run.users, run.now());
    } finally {
      await sql`select pg_advisory_unlock(${LOCK_KEY})`.execute(holder);
    }
  });
}

async function eraseAllDue(database: Database, users: ErasureOptions['users'], now: Date): Promise<number> {
  const due = await database
    .selectFrom('users')
    .select('id')
    .where('is_active', '=', false)
    .where('erase_after', '<=', now)
    .orderBy('erase_after')
    .execute();
  const failures: unknown[] = [];
  let erased = 0;
  for (const { id } of due) {
    try {
      if (await eraseUser(database, id, now)) erased += 1;
    } catch (error) {
      failures.push(error);
    } finally {
      // Also if notifying others failed: the person is erased by then.
      users.recordChange(id);
    }
  }
  await removeErasedSessions(database, now);
  if (failures.length > 0) throw failures[0];
  return erased;
}
