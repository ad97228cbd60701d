import type { LiveEvent } from '@sendlap/contract/events.ts';
import { type RawBuilder, sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';

const CHANNEL = 'sendlap_events';
const RECONNECT_MS = 500;
const PAGE_SIZE = 200;

export interface KeptEvent {
  seq: number;
  event: LiveEvent;
}

export type KeptType = Extract<LiveEvent, { type: 'activity_changed' | 'scan_decided' }>;
export type BroadcastType = Extract<LiveEvent, { type: 'leaderboard_changed' }>;

/** `kept` says that there is more to read, `broadcast` is the event itself. */
export interface Listener {
  onKept(): void;
  onBroadcast(event: BroadcastType): void;
}

/** An event and whose stream it belongs to. */
export interface KeptFor {
  user_id: string;
  event: KeptType;
}

export interface Events {
  /** Adds events to the streams of their users, as parts (`name as (…)`) of a statement of the caller. */
  keepParts(kept: KeptFor[]): RawBuilder<unknown>[];
  /**
   * The end of that statement, which tells the streams of these users, and every open stream of the broadcasts, which
   * are not kept; all of it is seen after the commit.
   */
  tell(kept: KeptFor[], broadcasts: BroadcastType[]): RawBuilder<unknown>;
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
    keepParts,
    tell,
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

/** For whoever has no stream to serve, such as the operator's line, the same as `Events.keepParts`. */
export function keepParts(kept: KeptFor[]): RawBuilder<unknown>[] {
  if (kept.length === 0) return [];
  const events = kept.map(({ user_id, event }, nth) => ({ user_id, type: event.type, data: event, nth }));
  // The counter's row lock makes the numbers gapless in the order of the commits, so that a reader who has seen
  // number n has seen all before it.
  return [
    sql`
    event as (
      select *, row_number() over (partition by user_id order by nth) as place
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as e(user_id uuid, type text, data jsonb, nth int))`,
    sql`
    event_counter as (
      insert into user_event_counters (user_id, last_seq)
      select user_id, count(*) from event group by user_id order by user_id
      on conflict (user_id) do update set last_seq = user_event_counters.last_seq + excluded.last_seq
      returning user_id, last_seq)`,
    sql`
    kept_event as (
      insert into user_events (user_id, seq, type, data)
      select user_id, last_seq - count(*) over (partition by user_id) + place, type, data
      from event join event_counter using (user_id))`,
  ];
}

/** The same as `Events.tell`. */
export function tell(kept: KeptFor[], broadcasts: BroadcastType[]): RawBuilder<unknown> {
  const users = [...new Set(kept.map(({ user_id }) => user_id))];
  const messages = [...users.map((user_id) => ({ user_id })), ...broadcasts.map((broadcast) => ({ broadcast }))];
  return sql`select pg_notify(${CHANNEL}, message)
    from unnest(${messages.map((each) => JSON.stringify(each))}::text[]) as message`;
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
