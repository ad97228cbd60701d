import { DAY_MS, HOUR_MS } from '@sendlap/domain/durations.ts';
import type { Database } from '#api/database/database.ts';
import { backupFolder, hasDailySince, isFromWrongClock } from '#api/modules/backups/folder.ts';
import type { Env } from '#api/platform/env.ts';
import { type Finding, findingsOf } from './finding.ts';

/** As the alert SendlapBackupOld. */
const MAX_AGE_MS = DAY_MS + 2 * HOUR_MS;
const MB = 1_000_000;

/** Checks the age of the latest daily backup, and that this machine has it. */
export async function checkBackups(database: Database, env: Env): Promise<Finding> {
  const { good, lacking, broken } = findingsOf('backups');
  const folder = backupFolder(env);
  if (env.BACKUP_KEEP === 0) return lacking('BACKUP_KEEP is 0: the server makes none by itself');
  const state = await database.selectFrom('backup_state').selectAll().executeTakeFirst();
  if (state?.failed_at) return broken(`BACKUP_DIR: the latest backup failed: ${state.failure}`);
  if (!state?.made_at) return lacking(`none yet: the first one comes some minutes after a start, in ${folder}`);
  const now = new Date();
  if (isFromWrongClock(state.made_at, now))
    return broken(
      `BACKUP_DIR: the latest has a date in the future, ${state.made_at.toISOString()}: the clock of the database was wrong, or this one is: let all follow a time server (NTP); the server then makes another within ten minutes`,
    );
  const age_ms = now.getTime() - state.made_at.getTime();
  const latest = `the latest is ${Math.floor(age_ms / HOUR_MS)} hours old`;
  if (age_ms > MAX_AGE_MS) return lacking(`${latest}: a server that runs makes one a day`);
  if (env.BACKUP_VERIFY === '0')
    return lacking(
      `BACKUP_VERIFY is 0: none is restored on trial, run \`backup verify\` on another server; ${latest}, in ${folder}`,
    );
  // Seconds may lie between the name of a file and the moment of its data.
  if (await hasDailySince(folder, new Date(state.made_at.getTime() - HOUR_MS), now))
    return good(`${latest}, ${Math.ceil((state.bytes ?? 0) / MB)} MB, in ${folder}`);
  // The latest may be another node's, with a folder of its own.
  return (await hasDailySince(folder, new Date(now.getTime() - MAX_AGE_MS), now))
    ? good(`${latest}, and not in ${folder}, which has one of the last 26 hours`)
    : lacking(`BACKUP_DIR: ${latest}, and not in ${folder}: it is gone, or on another node`);
}
