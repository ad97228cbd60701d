import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartError } from '#api/platform/start-error.ts';

/**
 * Session-level advisory locks in the cluster's `postgres` database. They end with the connection, so also with a kill
 * -9 of the process. Every user of the server holds IN_USE_LOCK shared; the single app also holds APP_LOCK.
 */
const IN_USE_LOCK = 7_310_001;
const APP_LOCK = 7_310_002;

/** How long the server may need to notice that a killed app's connection is gone. */
const CLAIM_TIMEOUT_MS = 2000;
const POLL_MS = 50;

async function callLockFunction(client: Client, statement: string, key: number): Promise<boolean> {
  const { rows } = await client.query<{ ok: boolean }>(`SELECT ${statement}($1::bigint) AS ok`, [key]);
  return rows[0]?.ok ?? false;
}

/** Acquires the lock of a user of the server. Returns false while the last user is stopping the server. */
export function acquireUseLock(client: Client): Promise<boolean> {
  return callLockFunction(client, 'pg_try_advisory_lock_shared', IN_USE_LOCK);
}

/** Releases this session's use lock. Returns true if no other session uses the server, so that it may be stopped. */
export async function releaseUseLock(client: Client): Promise<boolean> {
  // Unlock first, then try to lock: of two sessions that leave at once, the later one gets the server.
  await callLockFunction(client, 'pg_advisory_unlock_shared', IN_USE_LOCK);
  return callLockFunction(client, 'pg_try_advisory_lock', IN_USE_LOCK);
}

async function describeAppLockHolder(client: Client): Promise<string> {
  const { rows } = await client.query<{ application_name: string }>(
    `SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.objid = $1::bigint::oid`,
    [APP_LOCK],
  );
  const pid = /\d+$/.exec(rows[0]?.application_name ?? '')?.[0];
  return pid ? ` (process ${pid})` : '';
}

/**
 * Makes this session the only app on the data folder.
 * @throws StartError when another app holds it and keeps it
 */
export async function acquireAppLock(client: Client, data_dir: string): Promise<void> {
  const deadline = Date.now() + CLAIM_TIMEOUT_MS;
  while (!(await callLockFunction(client, 'pg_try_advisory_lock', APP_LOCK))) {
    if (Date.now() > deadline) {
      const holder = await describeAppLockHolder(client);
      throw new StartError(
        `Another Sendlap${holder} is using the data folder ${data_dir}: stop it, or set DATA_DIR to another folder.`,
      );
    }
    await sleep(POLL_MS);
  }
}
