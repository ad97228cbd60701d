import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';

const CHANNEL = 'sendlap_events';
const RECONNECT_MS = 500;
/** What is said within this time goes in one statement. */
const GATHER_MS = 5;

/** What the nodes of one database tell each other. */
export interface EventChannel {
  /** Says it to all others, soon; while the connection is lost, to nobody. */
  send(messages: string[]): void;
  close(): Promise<void>;
}

/**
 * PostgreSQL's LISTEN and NOTIFY on a connection of its own. A notification in a transaction that writes would make all
 * such transactions wait for each other's disk, one by one; so these are sent by themselves, and wait for no disk.
 */
export function openEventChannel(
  database_url: string,
  { onMessage, onConnect }: { onMessage(message: string): void; onConnect(): void },
): EventChannel {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let unsent: string[] = [];

  const connect = async () => {
    const next = new pg.Client({ connectionString: database_url, pipeline: true });
    client = next;
    next.on('notification', ({ payload }) => payload && onMessage(payload));
    next.on('error', () => {});
    next.on('end', () => {
      if (!closed) timer = setTimeout(retry, RECONNECT_MS);
    });
    await next.connect();
    await next.query(`set synchronous_commit = off; listen ${CHANNEL}`);
    onConnect();
  };
  const retry = () => {
    connect().catch(() => {
      if (!closed) timer = setTimeout(retry, RECONNECT_MS);
    });
  };
  const flush = () => {
    const messages = unsent;
    unsent = [];
    client?.query('select pg_notify($1, message) from unnest($2::text[]) message', [CHANNEL, messages]).catch(() => {});
  };
  retry();
  return {
    send(messages) {
      if (messages.length === 0 || closed) return;
      if (unsent.length === 0) setTimeout(flush, GATHER_MS);
      unsent.push(...messages);
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

/** The same for whoever does not listen, such as the operator's line. */
export async function notifyNodes(database: Database, messages: string[]): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, message) from unnest(${messages}::text[]) message`.execute(database);
}
