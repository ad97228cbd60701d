import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { StartError } from '#api/platform/start-error.ts';

/**
 * Session-level advisory locks in the cluster's `postgres` database; they end with the connection, so also with a
 * kill -9 of the process that holds it. Everybody who uses the server holds USERS shared, the one app holds APP too.
 */
const USERS_LOCK = 7_310_001;
const APP_LOCK = 7_310_002;

/** How long the server may need to notice that a killed app's connection is gone. */
const CLAIM_TIMEOUT_MS = 2000;
const POLL_MS = 50;

async function ask(client: Client, statement: string, key: number): Promise<boolean> {
  const { rows } = await client.query<{ ok: boolean }>(`SELECT ${statement}($1::bigint) AS ok`, [key]);
  return rows[0]?.ok ?? false;
}

/** Marks this session as a user of the server; false when the last user is just stopping it. */
export function joinUsers(client: Client): Promise<boolean> {
  return ask(client, 'pg_try_advisory_lock_shared', USERS_LOCK);
}

/** Ends this session's mark and says whether nobody else uses the server, so that it may be stopped. */
export async function leaveUsers(client: Client): Promise<boolean> {
  // First leave, then ask: of two who leave at once the later one sees the server free.
  await ask(client, 'pg_advisory_unlock_shared', USERS_LOCK);
  return ask(client, 'pg_try_advisory_lock', USERS_LOCK);
}

async function findHolder(client: Client): Promise<string> {
  const { rows } = await client.query<{ application_name: string }>(
    `SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.locktype = 'advisory' AND l.granted AND l.objid = $1::bigint::oid`,
    [APP_LOCK],
  );
  const pid = /\d+$/.exec(rows[0]?.application_name ?? '')?.[0];
  return pid ? ` (process ${pid})` : '';
}

/**
 * Makes this session the one app of the data folder.
 * @throws StartError when another app holds it and keeps it
 */
export async function claimForApp(client: Client, data_dir: string): Promise<void> {
  const deadline = Date.now() + CLAIM_TIMEOUT_MS;
  while (!(await ask(client, 'pg_try_advisory_lock', APP_LOCK))) {
    if (Date.now() > deadline) {
      const holder = await findHolder(client);
      throw new StartError(
        `Another Sendlap${holder} is using the data folder ${data_dir}: stop it, or set DATA_DIR to another folder.`,
      );
    }
    await sleep(POLL_MS);
  }
}
