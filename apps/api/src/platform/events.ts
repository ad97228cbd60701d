import { randomUUID } from 'node:crypto';
import type { LiveEvent } from '@sendlap/contract/events.ts';
import type { Database, Trx } from './database.ts';
import { notifyNodes, openEventChannel } from './event-channel.ts';
import { type KeptEvent, type KeptFor, readEvents, readLastSeq } from './event-store.ts';

export type BroadcastType = Extract<LiveEvent, { type: 'leaderboard_changed' }>;

/** `kept` says that there is more to read, `broadcast` is the event itself. */
export interface Listener {
  onKept(): void;
  onBroadcast(event: BroadcastType): void;
}

export interface EventWriter {
  /** Runs a transaction and announces, after its commit, what was told inside. */
  transact<Value>(run: (trx: Trx) => Promise<Value>): Promise<Value>;
  /**
   * Inside `transact`: the streams of these users have more to read, and every open stream gets the broadcasts, which
   * are not kept.
   */
  tell(trx: Trx, kept: KeptFor[], broadcasts: BroadcastType[]): void;
}

export interface Events extends EventWriter {
  /** The user's events after `seq`, in order, at most 200. */
  readAfter(user_id: string, seq: number): Promise<KeptEvent[]>;
  lastSeq(user_id: string): Promise<number>;
  /** Listens until the returned function is called. */
  subscribe(user_id: string, listener: Listener): () => void;
  /**
   * Calls back after every commit with broadcasts, before its caller goes on where it was made here, and whenever others'
   * may have been missed.
   */
  onBroadcast(listener: () => void): void;
  close(): Promise<void>;
}

interface News {
  users: Set<string>;
  broadcasts: BroadcastType[];
}

/** `from`: the node that has told its own streams already. */
type Message = { from?: string } & ({ user_id: string } | { broadcast: BroadcastType });

/**
 * Live events. This node's streams hear of them at once after the commit, the other nodes' over PostgreSQL. A node that
 * ends in between, or whose connection is lost, tells nobody: streams also look by themselves now and then.
 */
export function createEvents(database: Database, database_url: string): Events {
  const listeners = new Map<string, Set<Listener>>();
  const on_broadcast: (() => void)[] = [];
  const node_id = randomUUID();
  const dispatch = (message: Message) => {
    if ('user_id' in message) for (const listener of listeners.get(message.user_id) ?? []) listener.onKept();
    else {
      for (const listener of on_broadcast) listener();
      for (const set of listeners.values()) for (const listener of set) listener.onBroadcast(message.broadcast);
    }
  };
  const channel = openEventChannel(database_url, {
    onMessage(text) {
      const message = JSON.parse(text) as Message;
      if (message.from !== node_id) dispatch(message);
    },
    onConnect() {
      for (const listener of on_broadcast) listener();
      for (const set of listeners.values()) for (const listener of set) listener.onKept();
    },
  });
  return {
    ...createTeller(database, (news) => {
      const messages = messagesOf(news, node_id);
      for (const message of messages) dispatch(message);
      channel.send(messages.map((message) => JSON.stringify(message)));
    }),
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
    onBroadcast: (listener) => void on_broadcast.push(listener),
    close: () => channel.close(),
  };
}

/** For whoever has no streams to serve, such as the operator's line. */
export function createEventWriter(database: Database): EventWriter {
  return createTeller(database, (news) =>
    notifyNodes(
      database,
      messagesOf(news).map((message) => JSON.stringify(message)),
    ),
  );
}

function createTeller(database: Database, announce: (news: News) => void | Promise<void>): EventWriter {
  const told = new WeakMap<Trx, News>();
  return {
    async transact(run) {
      const news: News = { users: new Set(), broadcasts: [] };
      const value = await database.transaction().execute((trx) => {
        told.set(trx, news);
        return run(trx);
      });
      await announce(news);
      return value;
    },
    tell(trx, kept, broadcasts) {
      const news = told.get(trx);
      if (!news) throw new Error('events are told inside transact only');
      for (const { user_id } of kept) news.users.add(user_id);
      news.broadcasts.push(...broadcasts);
    },
  };
}

function messagesOf({ users, broadcasts }: News, from?: string): Message[] {
  const sender = from === undefined ? {} : { from };
  return [
    ...[...users].map((user_id) => ({ ...sender, user_id })),
    ...broadcasts.map((broadcast) => ({ ...sender, broadcast })),
  ];
}
