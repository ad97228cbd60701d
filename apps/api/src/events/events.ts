import { randomUUID } from 'node:crypto';
import type { LiveEvent } from '@sendlap/contract/events.ts';
import type { Database, Trx } from '../database/database.ts';
import { announcements } from '../platform/measurements.ts';
import { notifyNodes, openEventChannel } from './event-channel.ts';
import { type NodeMessage, type SerializedEvent, serializeEvent, toFrame } from './event-messages.ts';
import { type PersistentEvent, readEvents, readLastSeqs, readPosition, type UserEvent } from './event-store.ts';

export type BroadcastEvent = Extract<LiveEvent, { type: 'leaderboard_changed' }>;
/** Ephemeral events for some users: they are not stored. */
export type EphemeralEvent = Extract<LiveEvent, { type: 'presence_changed' | 'typing' }>;

/** A stored event with its number, after its commit. */
export interface Delivery {
  user_id: string;
  seq: number;
  event: PersistentEvent;
}

/** Callbacks of an open stream. A frame is text as a stream sends it. */
export interface StreamListener {
  /** There are new events to read. */
  onNewEvents(): void;
  /** An event with its number; another node's may arrive late or out of order. */
  onEvent(seq: number, frame: string): void;
  /** An ephemeral event. */
  onEphemeral(frame: string): void;
  /** Ephemeral events may have been missed. */
  onGap?(): void;
  /** Stored events may have been lost, and their numbers reused for others. */
  onDataLoss?(): void;
}

export type EventWriter = ReturnType<typeof createEventPublisher>;

export type Events = ReturnType<typeof createEvents>;

interface PendingEvents {
  events: UserEvent[];
  broadcasts: BroadcastEvent[];
}

/**
 * Live events. This node's streams get them right after the commit, other nodes' streams over PostgreSQL. A node that
 * dies in between, or loses its connection, notifies no other node: so streams also poll now and then.
 * `node_title`: this node's version and name, which `listNodes` reads. `onConnect` is called each time that this node is
 * connected and holds NODE_LOCK, which keeps a restore from beginning.
 */
export function createEvents(
  database: Database,
  database_url: string,
  node_title?: string,
  onConnect: () => void = () => {},
) {
  const broadcast_listeners: (() => void)[] = [];
  const stored_listeners: ((stored_events: UserEvent[]) => void)[] = [];
  const node_id = randomUUID();
  const { subscribe, deliverToStreams, wakeAll, notifyDataLoss } = createListeners();
  const dispatch = (message: NodeMessage) => {
    if (message.kind === 'broadcast') for (const listener of broadcast_listeners) listener();
    deliverToStreams(message);
  };
  /** Called when earlier messages were missed. */
  const catchUp = (is_reconnect: boolean) => {
    for (const listener of broadcast_listeners) listener();
    wakeAll(is_reconnect);
  };
  const channel = openEventChannel(database_url, {
    node_id,
    node_title,
    onMessage: dispatch,
    onConnect(is_reconnect) {
      onConnect();
      catchUp(is_reconnect);
    },
    onNewIncarnation: notifyDataLoss,
    onPeer: catchUp,
  });
  const announce = (messages: NodeMessage[]) => {
    if (messages.length === 0) return;
    const begun_at = announcements.is_observed ? performance.now() : 0;
    for (const message of messages) dispatch(message);
    channel.send(messages);
    if (begun_at) announcements.report({ messages: messages.length, duration_ms: performance.now() - begun_at });
  };
  const notifyStoredListeners = (stored_events: UserEvent[]) => {
    if (stored_events.length > 0) for (const listener of stored_listeners) listener(stored_events);
  };
  return {
    ...createEventPublisher(database, (pending_events) => {
      announce(toNodeMessages(pending_events));
      notifyStoredListeners(pending_events.events);
    }),
    /** For the caller's own statement, after its commit: streams that are up to date get the events without a read. */
    deliver(deliveries: Delivery[]): void {
      announce(toDeliveryMessages(deliveries));
      notifyStoredListeners(deliveries);
    },
    /** Lets the streams of these users read on: stored events may not have been announced. */
    wake(user_ids: string[]): void {
      announce(user_ids.map((user_id) => ({ kind: 'more', user_id })));
    },
    /** Sends an ephemeral event to the open streams of these users. */
    sendEphemeral(to: string[], event: EphemeralEvent): void {
      if (to.length > 0) announce([{ kind: 'whisper', to, event: serializeEvent(event) }]);
    },
    /** Calls back after the commit with the events that this node stored; other nodes do not call back. */
    onEventsStored: (listener: (stored_events: UserEvent[]) => void) => void stored_listeners.push(listener),
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
    onBroadcast: (listener: () => void) => void broadcast_listeners.push(listener),
    close: () => channel.close(),
  };
}

/** The subscribed streams of this node. */
function createListeners() {
  const listeners = new Map<string, Set<StreamListener>>();
  const listenersOf = (user_id: string): Iterable<StreamListener> => listeners.get(user_id) ?? [];
  return {
    deliverToStreams(message: NodeMessage): void {
      if (message.kind === 'more') for (const listener of listenersOf(message.user_id)) listener.onNewEvents();
      else if (message.kind === 'kept') {
        const { user_id, seq, event } = message;
        if (!listeners.has(user_id)) return;
        const frame = toFrame(event, seq);
        for (const listener of listenersOf(user_id)) listener.onEvent(seq, frame);
      } else {
        const frame = toFrame(message.event);
        const sets = message.kind === 'whisper' ? message.to.map(listenersOf) : listeners.values();
        for (const set of sets) for (const listener of set) listener.onEphemeral(frame);
      }
    },
    notifyDataLoss(): void {
      for (const set of listeners.values()) for (const listener of set) listener.onDataLoss?.();
    },
    wakeAll(has_gap: boolean): void {
      for (const set of listeners.values()) {
        for (const listener of set) {
          listener.onNewEvents();
          if (has_gap) listener.onGap?.();
        }
      }
    },
    subscribe(user_id: string, listener: StreamListener): () => void {
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
  return createEventPublisher(database, (pending_events) => notifyNodes(database, toNodeMessages(pending_events)));
}

function createEventPublisher(database: Database, announce: (pending_events: PendingEvents) => void | Promise<void>) {
  const pending_by_trx = new WeakMap<Trx, PendingEvents>();
  return {
    /** Runs a transaction. After its commit, announces the events passed to `publish` inside. */
    async transact<Value>(run: (trx: Trx) => Promise<Value>): Promise<Value> {
      const pending_events: PendingEvents = { events: [], broadcasts: [] };
      const value = await database.transaction().execute((trx) => {
        pending_by_trx.set(trx, pending_events);
        return run(trx);
      });
      await announce(pending_events);
      return value;
    },
    /**
     * Inside `transact`: these users' streams have new events to read, and every open stream gets the broadcasts, which
     * are not stored.
     */
    publish(trx: Trx, stored_events: UserEvent[], broadcasts: BroadcastEvent[]): void {
      const pending_events = pending_by_trx.get(trx);
      if (!pending_events) throw new Error('events are told inside transact only');
      pending_events.events.push(...stored_events);
      pending_events.broadcasts.push(...broadcasts);
    },
  };
}

function toNodeMessages({ events, broadcasts }: PendingEvents): NodeMessage[] {
  return [
    ...[...new Set(events.map(({ user_id }) => user_id))].map((user_id) => ({ kind: 'more' as const, user_id })),
    ...broadcasts.map((broadcast) => ({ kind: 'broadcast' as const, event: serializeEvent(broadcast) })),
  ];
}

/** Several users may get the same event: its text is built once. */
function toDeliveryMessages(deliveries: Delivery[]): NodeMessage[] {
  const texts = new Map<PersistentEvent, SerializedEvent>();
  return deliveries.map(({ user_id, seq, event }) => {
    const text = texts.get(event) ?? serializeEvent(event);
    texts.set(event, text);
    return { kind: 'kept', user_id, seq, event: text };
  });
}
