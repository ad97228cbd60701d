import type { LiveEvent } from '@sendlap/contract/events.ts';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database, Trx } from './database.ts';

const CHANNEL = 'sendlap_events';
const RECONNECT_MS = 500;
const PAGE_SIZE = 200;

export interface KeptEvent {
  seq: number;
  event: LiveEvent;
}

type KeptType = Extract<LiveEvent, { type: 'activity_changed' }>;
type BroadcastType = Extract<LiveEvent, { type: 'leaderboard_changed' }>;

/** `kept` says that there is more to read, `broadcast` is the event itself. */
export interface Listener {
  onKept(): void;
  onBroadcast(event: BroadcastType): void;
}

export interface Events {
  /** Adds an event to the user's stream, inside the caller's transaction; seen by streams after its commit. */
  publish(trx: Trx, user_id: string, event: KeptType): Promise<void>;
  /** Tells every open stream, after the commit; not kept. */
  broadcast(trx: Trx, event: BroadcastType): Promise<void>;
  /** The user's events after `seq`, in order, at most 200. */
  readAfter(user_id: string, seq: number): Promise<KeptEvent[]>;
  lastSeq(user_id: string): Promise<number>;
  /** Listens until the returned function is called. */
  subscribe(user_id: string, listener: Listener): () => void;
  close(): Promise<void>;
}

/**
 * Live events over PostgreSQL's LISTEN/NOTIFY: a notification is delivered after the commit and to every node.
 * A lost listening connection is opened again and then all listeners read on from where they were.
 */
export function createEvents(database: Database, database_url: string): Events {
  const listeners = new Map<string, Set<Listener>>();
  const dispatch = (payload: string) => {
    const message = JSON.parse(payload) as { user_id: string } | { broadcast: BroadcastType };
    if ('user_id' in message) for (const listener of listeners.get(message.user_id) ?? []) listener.onKept();
    else for (const set of listeners.values()) for (const listener of set) listener.onBroadcast(message.broadcast);
  };
  const readOn = () => {
    for (const set of listeners.values()) for (const listener of set) listener.onKept();
  };
  const connection = keepListening(database_url, dispatch, readOn);
  return {
    publish: (trx, user_id, event) => appendEvent(trx, user_id, event),
    broadcast: (trx, event) => notify(trx, { broadcast: event }),
    readAfter: (user_id, seq) => readEvents(database, user_id, seq),
    lastSeq: (user_id) => readLastSeq(database, user_id),
    subscribe(user_id, listener) {
      const set = listeners.get(user_id) ?? new Set();
      listeners.set(user_id, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(user_id) === set) listeners.delete(user_id);
      };
    },
    close: () => connection.close(),
  };
}

async function appendEvent(trx: Trx, user_id: string, event: KeptType): Promise<void> {
  // The counter's row lock makes the numbers gapless in the order of the commits, so that a reader who has seen
  // number n has seen all before it.
  await sql`
    with counter as (
      insert into user_event_counters (user_id, last_seq) values (${user_id}, 1)
      on conflict (user_id) do update set last_seq = user_event_counters.last_seq + 1
      returning last_seq
    )
    insert into user_events (user_id, seq, type, data)
    select ${user_id}, last_seq, ${event.type}, ${JSON.stringify(event)}::jsonb from counter`.execute(trx);
  await notify(trx, { user_id });
}

async function notify(trx: Trx, message: object): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${JSON.stringify(message)})`.execute(trx);
}

async function readEvents(database: Database, user_id: string, seq: number): Promise<KeptEvent[]> {
  const rows = await database
    .selectFrom('user_events')
    .select(['seq', 'data'])
    .where('user_id', '=', user_id)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(PAGE_SIZE)
    .execute();
  return rows.map((row) => ({ seq: row.seq, event: row.data as LiveEvent }));
}

async function readLastSeq(database: Database, user_id: string): Promise<number> {
  const row = await database
    .selectFrom('user_event_counters')
    .select('last_seq')
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return row?.last_seq ?? 0;
}

function keepListening(database_url: string, onMessage: (payload: string) => void, onReconnect: () => void) {
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async () => {
    const next = new pg.Client({ connectionString: database_url });
    client = next;
    next.on('notification', ({ payload }) => payload && onMessage(payload));
    next.on('error', () => {});
    next.on('end', () => {
      if (!closed) timer = setTimeout(retry, RECONNECT_MS);
    });
    await next.connect();
    await next.query(`listen ${CHANNEL}`);
    onReconnect();
  };
  const retry = () => {
    connect().catch(() => {
      if (!closed) timer = setTimeout(retry, RECONNECT_MS);
    });
  };
  retry();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
