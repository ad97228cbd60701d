import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { StartError } from '../platform/start-error.ts';
import { databaseErrorCode } from './database.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** A wrong refusal on a busy machine would be worse than a slow one behind a pooler. */
const ARRIVAL_TIMEOUT_MS = 10_000;
const INSUFFICIENT_PRIVILEGE = '42501';

export const POOLER_ADVICE = 'set DATABASE_URL to the address of PostgreSQL itself';

/**
 * Sends a notification from one connection to another. Returns its duration in milliseconds. Throws a StartError if it
 * does not arrive: live updates and caches of nodes depend on notifications, and a pooler in transaction mode drops them
 * silently.
 */
export async function assertNotificationsArrive(database_url: string, location: string): Promise<number> {
  const [listener, sender] = [createClient(database_url), createClient(database_url)];
  const channel = `sendlap_check_${randomBytes(8).toString('hex')}`;
  const given_up = new AbortController();
  try {
    await Promise.all([listener.connect(), sender.connect()]);
    const arrival = new Promise<true>((resolve) => listener.once('notification', () => resolve(true)));
    await listener.query(`listen ${channel}`);
    const sent_at = performance.now();
    await sender.query('select pg_notify($1, $2)', [channel, '']);
    const has_arrived = await Promise.race([arrival, pause(ARRIVAL_TIMEOUT_MS, false, given_up)]);
    if (has_arrived) return performance.now() - sent_at;
    throw new StartError(
      `${location}: notifications (LISTEN and NOTIFY) do not arrive, as behind a connection pooler such as PgBouncer in transaction mode: ${POOLER_ADVICE}`,
    );
  } catch (error) {
    if (databaseErrorCode(error) !== INSUFFICIENT_PRIVILEGE) throw error;
    throw new StartError(
      `${location}: permission denied: the role may not send notifications: grant it EXECUTE on the function pg_notify`,
    );
  } finally {
    given_up.abort();
    await Promise.all([listener, sender].map((client) => client.end().catch(() => {})));
  }
}

function createClient(database_url: string): pg.Client {
  const client = new pg.Client({
    connectionString: database_url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  return client;
}
