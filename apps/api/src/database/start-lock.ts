import pg from 'pg';
import { StartError } from '../platform/start-error.ts';
import type { Storage } from './storage.ts';

/** An advisory lock: shared by all that start, held alone by a restore. */
export const START_LOCK = [0x6c_69_76_65, 2];
const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Keeps a restore from beginning until the returned function is called. Throws a StartError while one runs. A database that
 * cannot be asked is left to the checks of the start, which say why.
 */
export async function holdStart({
  database_url,
  location,
}: Pick<Storage, 'database_url' | 'location'>): Promise<() => Promise<void>> {
  const client = new pg.Client({
    connectionString: database_url,
    ...{ keepAlive: true, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, query_timeout: CONNECT_TIMEOUT_MS },
  });
  client.on('error', () => {});
  const release = () => client.end().catch(() => {});
  if ((await tryLock(client).catch(() => undefined)) !== false) return release;
  await release();
  throw new StartError(`${location}: a backup is being restored into this database: start when that is done`);
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
