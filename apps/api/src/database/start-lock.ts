import pg from 'pg';
import { StartError, toOneLine } from '../platform/start-error.ts';
import { checkDatabase } from './prepare-database.ts';
import type { Storage } from './storage.ts';

/** An advisory lock: shared by all that start, held alone by a restore. */
export const START_LOCK = [0x6c_69_76_65, 2];
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Keeps a restore from beginning until the returned function is called. Throws a StartError while one runs, and if the lock
 * cannot be taken: the first problem that the checks of the start find, or, if they pass, the reason itself.
 */
export async function holdStart(storage: Omit<Storage, 'close'>): Promise<() => Promise<void>> {
  const { database_url, location } = storage;
  const client = new pg.Client({
    connectionString: database_url,
    ...{ keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS },
  });
  client.on('error', () => {});
  const release = () => client.end().catch(() => {});
  const is_free = await tryLock(client).catch((error: Error) => error);
  if (is_free === true) return release;
  await release();
  if (is_free === false)
    throw new StartError(`${location}: a backup is being restored into this database: start when that is done`);
  await checkDatabase(storage);
  const reason = is_free?.message ?? 'no answer';
  throw new StartError(
    `${location}: the lock that keeps a restore from beginning cannot be taken (${toOneLine(reason)}): start again`,
  );
}

/** In a transaction: through a connection pooler, a lock of the session would outlive it. */
async function tryLock(client: pg.Client): Promise<boolean | undefined> {
  await client.connect();
  await client.query('begin');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query<{ is_free: boolean }>(
    `select pg_try_advisory_xact_lock_shared(${START_LOCK}) as is_free`,
  );
  return rows[0]?.is_free;
}
