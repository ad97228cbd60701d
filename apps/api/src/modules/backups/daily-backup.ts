import { join } from 'node:path';
import type { ServerOverview } from '@sendlap/contract/server-management/overview.ts';
import { HOUR_MS } from '@sendlap/domain/durations.ts';
import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { withSessionLock } from '#api/database/session-lock.ts';
import { createPeriodicJob, type PeriodicJob } from '#api/platform/periodic-job.ts';
import { toOneLine } from '#api/platform/start-error.ts';
import { dailyFileName, deleteAbandoned, hasDailySince, isFromWrongClock, pruneFolder } from './folder.ts';
import { type ReadFreeBytes, writeVerifiedBackup } from './verify-backup.ts';
import type { WrittenBackup } from './write-backup.ts';

const CHECK_INTERVAL_MS = HOUR_MS / 6;
/** A little less than a day, so that the hour of the backup does not wander. */
const MIN_AGE_MS = 24 * HOUR_MS - CHECK_INTERVAL_MS;
const RETRY_AFTER_MS = HOUR_MS;
/** Held by the node that makes the backup. */
const BACKUP_LOCK = 'daily_backup';

interface Options {
  /** Without statement time-outs. */
  database: Database;
  database_url: string;
  secrets: Secrets;
  folder: string;
  /** How many stay; 0: none is made. */
  keep: number;
  readFreeBytes: ReadFreeBytes;
  restores_on_trial: boolean;
  /** Default: the clock of the database, as the clocks of two nodes may differ by days. */
  readNow?: (() => Promise<Date>) | undefined;
  log: { info(fields: object, text: string): void; warn(fields: object, text: string): void };
}

/**
 * Job that makes a verified backup each day, on each node whose folder has none. It begins some minutes after the start: a
 * server that is restarted has other work.
 */
export function createDailyBackup(options: Options): PeriodicJob {
  const { log } = options;
  let is_first = true;
  const { run, ...job } = createPeriodicJob({
    name: 'daily_backup',
    interval_ms: CHECK_INTERVAL_MS,
    async work() {
      if (!is_first) return backUpIfDue(options);
      is_first = false;
      return 0;
    },
    log,
    failure_message: 'the daily backup could not be checked or recorded; retrying later',
  });
  return { ...job, run: () => backUpIfDue(options) };
}

/** Returns 1 if it made a backup, else 0. */
async function backUpIfDue(options: Options): Promise<number> {
  const { database, keep } = options;
  if (keep === 0 || !(await isDue(options))) return 0;
  const made = await withSessionLock(database, BACKUP_LOCK, async () => {
    // Another node may have made it since.
    if (!(await isDue(options))) return 0;
    return backUp(options);
  });
  return made ?? 0;
}

async function isDue({ database, folder, ...options }: Options): Promise<boolean> {
  const now = await readTime({ database, ...options });
  const state = await database.selectFrom('backup_state').select(['made_at', 'failed_at']).executeTakeFirst();
  const isWithin = (at: Date | null | undefined, age_ms: number) =>
    at != null && !isFromWrongClock(at, now) && now.getTime() - at.getTime() < age_ms;
  if (isWithin(state?.made_at, RETRY_AFTER_MS) || isWithin(state?.failed_at, RETRY_AFTER_MS)) return false;
  // The file may have gone with its disk, or be in another node's folder.
  const is_here = await hasDailySince(folder, new Date(now.getTime() - MIN_AGE_MS), now);
  if (is_here && isWithin(state?.made_at, MIN_AGE_MS)) return false;
  return hasUsers(database);
}

/** A server without users has nothing to save. */
async function hasUsers(database: Database): Promise<boolean> {
  const user = database.selectFrom('users').select('id').where('id', '<>', DELETED_USER_ID).limit(1);
  return (await user.executeTakeFirst()) !== undefined;
}

async function backUp({ log, ...options }: Options): Promise<number> {
  const { database, folder, keep, restores_on_trial } = options;
  const now = await readTime(options);
  const begun_at = performance.now();
  let written: WrittenBackup;
  try {
    // Files have the time of this machine.
    await deleteAbandoned(folder, new Date());
    written = await writeVerifiedBackup({ ...options, now: () => now }, join(folder, dailyFileName(now)));
    await pruneFolder(folder, keep, now);
  } catch (error) {
    log.warn({ err: error }, 'the daily backup failed; retrying in an hour');
    await save(database, { failed_at: await readTime(options), failure: toOneLine(String((error as Error).message)) });
    return 0;
  }
  const { file, bytes, rows } = written;
  await save(database, { made_at: new Date(written.made_at), bytes, failed_at: null, failure: null });
  const text = restores_on_trial ? 'backup made and verified' : 'backup made, not restored on trial';
  log.info({ file, bytes, rows, duration_ms: Math.round(performance.now() - begun_at) }, text);
  return 1;
}

async function readTime({ database, readNow }: Pick<Options, 'database' | 'readNow'>): Promise<Date> {
  if (readNow) return readNow();
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(database);
  return rows[0]?.now ?? new Date();
}

interface State {
  made_at?: Date;
  bytes?: number;
  failed_at: Date | null;
  failure: string | null;
}

async function save(database: Database, state: State): Promise<void> {
  await database
    .insertInto('backup_state')
    .values(state)
    .onConflict((conflict) => conflict.column('is_only').doUpdateSet(state))
    .execute();
}

/** Returns null while the server makes no backups by itself. */
export async function readBackupState(database: Database, keep: number): Promise<ServerOverview['backups']> {
  if (keep === 0) return null;
  const state = await database.selectFrom('backup_state').select(['made_at', 'bytes', 'failed_at']).executeTakeFirst();
  return {
    made_at: state?.made_at?.toISOString() ?? null,
    bytes: state?.bytes ?? null,
    has_failed: (state?.failed_at ?? null) !== null,
  };
}

/** As `readBackupState`; also null until the first backup is due. */
export async function readDueBackupState(database: Database, keep: number): Promise<ServerOverview['backups']> {
  const state = await readBackupState(database, keep);
  return state && (state.made_at !== null || (await hasUsers(database))) ? state : null;
}
