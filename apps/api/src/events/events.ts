import { randomUUID } from 'node:crypto';
import type { LiveEvent } from '@sendlap/contract/events.ts';
import type { Database, Trx } from '../database/database.ts';
import { notifyNodes, openEventChannel } from './event-channel.ts';
import { type EventText, type NodeMessage, textOf, toFrame } from './event-messages.ts';
import { type KeptFor, type KeptType, readEvents, readLastSeqs, readPosition } from './event-store.ts';

export type BroadcastType = Extract<LiveEvent, { type: 'leaderboard_changed' }>;
/** Ephemeral events for some users: they are not kept. */
export type WhisperType = Extract<LiveEvent, { type: 'presence_changed' | 'typing' }>;

/** A kept event with its number, after its commit. */
export interface Delivery {
  user_id: string;
  seq: number;
  event: KeptType;
}

/** Callbacks of an open stream. A frame is text as a stream sends it. */
export interface Listener {
  /** There are new events to read. */
  onMore(): void;
  /** An event with its number; another node's may arrive late or out of order. */
  onKept(seq: number, frame: string): void;
  /** An ephemeral event. */
  onMoment(frame: string): void;
  /** Ephemeral events may have been missed. */
  onGap?(): void;
  /** Kept events may have been lost, and their numbers reused for others. */
  onLoss?(): void;
}

export type EventWriter = ReturnType<typeof createTeller>;

export type Events = ReturnType<typeof createEvents>;

interface News {
  kept: KeptFor[];
  broadcasts: BroadcastType[];
}

/**
 * Live events. This node's streams get them right after the commit, other nodes' streams over PostgreSQL. A node that
 * dies in between, or loses its connection, notifies no other node: so streams also poll now and then.
 */
export function createEvents(database: Database, database_url: string) {
  const on_broadcast: (() => void)[] = [];
  const on_kept: ((kept: KeptFor[]) => void)[] = [];
  const node_id = randomUUID();
  const { subscribe, hear, wakeAll, tellLoss } = createListeners();
  const dispatch = (message: NodeMessage) => {
    if (message.kind === 'broadcast') for (const listener of on_broadcast) listener();
    hear(message);
  };
  /** Called when earlier messages were missed. */
  const catchUp = (is_again: boolean) => {
    for (const listener of on_broadcast) listener();
    wakeAll(is_again);
  };
  const channel = openEventChannel(database_url, {
    node_id,
    onMessage: dispatch,
    onConnect: catchUp,
    onOtherLife: tellLoss,
    onPeer: catchUp,
  });
  const announce = (messages: NodeMessage[]) => {
    if (messages.length === 0) return;
    for (const message of messages) dispatch(message);
    channel.send(messages);
  };
  const noteKept = (kept: KeptFor[]) => {
    if (kept.length > 0) for (const listener of on_kept) listener(kept);
  };
  return {
    ...createTeller(database, (news) => {
      announce(messagesOf(news));
      noteKept(news.kept);
    }),
    /** For the caller's own statement, after its commit: streams that are up to date get the events without a read. */
    deliver(deliveries: Delivery[]): void {
      announce(deliveredMessages(deliveries));
      noteKept(deliveries);
    },
    /** Sends an ephemeral event to the open streams of these users. */
    whisper(to: string[], event: WhisperType): void {
      if (to.length > 0) announce([{ kind: 'whisper', to, event: textOf(event) }]);
    },
    /** Calls back after the commit with the events that this node kept; other nodes do not call back. */
    onKept: (listener: (kept: KeptFor[]) => void) => void on_kept.push(listener),
    /** Returns the user's events after `seq`, in order, at most 200. */
    readAfter: (user_id: string, seq: number, limit?: number) => readEvents(database, user_id, seq, limit),
    /** Returns the stream position of a client that has seen the event `seq`, or (undefined) no event. */
    readPosition: (user_id: string, seq: number | undefined) => readPosition(database, user_id, seq),
    /** Returns the numbers of these users' latest events; users without events are missing. */
    readLastSeqs: (user_ids: string[]) => readLastSeqs(database, user_ids),
    /** Subscribes a stream. Returns the function that unsubscribes it. */
    subscribe,
    /**
     * Calls back after every commit with broadcasts (before `transact` returns, if it ran on this node), and whenever
     * other nodes' broadcasts may have been missed.
     */
    onBroadcast: (listener: () => void) => void on_broadcast.push(listener),
    close: () => channel.close(),
  };
}

/** The subscribed streams of this node. */
function createListeners() {
  const listeners = new Map<string, Set<Listener>>();
  const of = (user_id: string): Iterable<Listener> => listeners.get(user_id) ?? [];
  return {
    hear(message: NodeMessage): void {
      if (message.kind === 'more') for (const listener of of(message.user_id)) listener.onMore();
      else if (message.kind === 'kept') {
        const { user_id, seq, event } = message;
        if (!listeners.has(user_id)) return;
        const frame = toFrame(event, seq);
        for (const listener of of(user_id)) listener.onKept(seq, frame);
      } else {
        const frame = toFrame(message.event);
        const sets = message.kind === 'whisper' ? message.to.map(of) : listeners.values();
        for (const set of sets) for (const listener of set) listener.onMoment(frame);
      }
    },
    tellLoss(): void {
      for (const set of listeners.values()) for (const listener of set) listener.onLoss?.();
    },
    wakeAll(has_gap: boolean): void {
      for (const set of listeners.values()) {
        for (const listener of set) {
          listener.onMore();
          if (has_gap) listener.onGap?.();
        }
      }
    },
    subscribe(user_id: string, listener: Listener): () => void {
      const set = listeners.get(user_id) ?? new Set();
      listeners.set(user_id, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(user_id) === set) listeners.delete(user_id);
      };
    },
  };
}

/** For a process without streams, such as the operator CLI. */
export function createEventWriter(database: Database) {
  return createTeller(database, (news) => notifyNodes(database, messagesOf(news)));
}

function createTeller(database: Database, announce: (news: News) => void | Promise<void>) {
  const told = new WeakMap<Trx, News>();
  return {
    /** Runs a transaction. After its commit, announces the events passed to `tell` inside. */
    async transact<Value>(run: (trx: Trx) => Promise<Value>): Promise<Value> {
      const news: News = { kept: [], broadcasts: [] };
      const value = await database.transaction().execute((trx) => {
        told.set(trx, news);
        return run(trx);
      });
      await announce(news);
      return value;
    },
    /**
     * Inside `transact`: these users' streams have new events to read, and every open stream gets the broadcasts, which
     * are not kept.
     */
    tell(trx: Trx, kept: KeptFor[], broadcasts: BroadcastType[]): void {
      const news = told.get(trx);
      if (!news) throw new Error('events are told inside transact only');
      news.kept.push(...kept);
      news.broadcasts.push(...broadcasts);
    },
  };
}

function messagesOf({ kept, broadcasts }: News): NodeMessage[] {
  return [
    ...[...new Set(kept.map(({ user_id }) => user_id))].map((user_id) => ({ kind: 'more' as const, user_id })),
    ...broadcasts.map((broadcast) => ({ kind: 'broadcast' as const, event: textOf(broadcast) })),
  ];
}

/** Several users may get the same event: its text is built once. */
function deliveredMessages(deliveries: Delivery[]): NodeMessage[] {
  const texts = new Map<KeptType, EventText>();
  return deliveries.map(({ user_id, seq, event }) => {
    const text = texts.get(event) ?? textOf(event);
    texts.set(event, text);
    return { kind: 'kept', user_id, seq, event: text };
  });
}
