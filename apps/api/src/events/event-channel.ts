import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import { SERVER_INCARNATION_SQL } from '../platform/server-incarnation.ts';
import { decodeMessage, joinPayload, type NodeMessage, packPayloads, splitPayload } from './event-messages.ts';

export const CHANNEL = 'sendlap_live';
const RECONNECT_MS = 500;
const MAX_RECONNECT_MS = 2_000;
const CHECK_INTERVAL_MS = 10_000;
const ANSWER_TIMEOUT_MS = 5_000;
const FLUSH_TIMEOUT_MS = 500;
/**
 * Batches the messages of this time into one statement: 300 commits with NOTIFY a second, where three nodes send 5,000
 * messages.
 */
const BATCH_MS = 10;
const NOTIFY = 'select pg_notify($1, payload) from unnest($2::text[]) payload';
/** A shared advisory lock of every listening node; the number of its holders is the number of nodes. */
export const NODE_LOCK = [0x6c_69_76_65, 1];
const COUNT_NODES = `select count(*)::int as nodes from pg_locks where locktype = 'advisory' and granted
  and classid = ${NODE_LOCK[0]} and objid = ${NODE_LOCK[1]}
  and database = (select oid from pg_database where datname = current_database())`;
/** Sent by a node that listens; HELLO_AGAIN after a time without a connection. */
const HELLO = 'here';
const HELLO_AGAIN = 'here again';

export interface ChannelHooks {
  /** This node's id, by which it recognises its own messages: PostgreSQL sends them back. */
  node_id: string;
  /** This node's version and name, for `listNodes`. */
  node_title?: string | undefined;
  /** Receives a message of another node. */
  onMessage(message: NodeMessage): void;
  /**
   * The node is connected; it missed all earlier messages. `is_reconnect`: it was or should have been connected before,
   * so messages may have been lost.
   */
  onConnect(is_reconnect: boolean): void;
  /**
   * Before `onConnect`: since the previous connection PostgreSQL restarted, recovered from a crash or was replaced by a
   * promoted standby (another incarnation), and may have lost commits.
   */
  onNewIncarnation?(): void;
  /**
   * Another node has connected; its earlier messages were missed. `is_reconnect`: it was running before, so it may have
   * sent some.
   */
  onPeer(is_reconnect: boolean): void;
}

interface ChannelTiming {
  /** Interval of the checks whether the connection still lives. */
  check_interval_ms?: number;
  /** A connection that does not answer for this long is dead. */
  answer_timeout_ms?: number;
}

/**
 * Messages between the nodes of one database, by LISTEN and NOTIFY on a connection of their own. A NOTIFY inside a
 * writing transaction would serialise the commits of all such transactions, each waiting for the disk; so messages are
 * sent outside of transactions and wait for no disk.
 */
export function openEventChannel(
  database_url: string,
  { node_id, node_title, onMessage, onConnect, onNewIncarnation, onPeer }: ChannelHooks,
  { check_interval_ms = CHECK_INTERVAL_MS, answer_timeout_ms = ANSWER_TIMEOUT_MS }: ChannelTiming = {},
) {
  const peers = createPeerTracker({ node_id, onMessage, onPeer });
  const trackIncarnation = createIncarnationTracker(onNewIncarnation);
  const stop = new AbortController();
  const { signal } = stop;
  let client: pg.Client | undefined;
  let is_closed = false;
  let was_connected = false;
  let failures = 0;
  let unsent: NodeMessage[] = [];
  let flush_done: Promise<unknown> = Promise.resolve();

  /** Runs one connection until it ends or stops answering. */
  const listen = async () => {
    const next = createClient(database_url, answer_timeout_ms, node_title);
    client = next;
    next.on('notification', ({ payload }) => payload && peers.handlePayload(next, payload));
    next.on('error', () => {});
    let is_over = false;
    const ended = new Promise<void>((resolve) => next.once('end', resolve)).then(() => {
      is_over = true;
    });
    try {
      await next.connect();
      trackIncarnation(await registerNode(next));
      // The channel was connected before, or should have been: the app does not wait for it.
      const is_reconnect = was_connected || failures > 0;
      await peers.count(next);
      await peers.sayHere(next, is_reconnect);
      failures = 0;
      onConnect(is_reconnect);
      was_connected = true;
      // If the machine is gone, or a middlebox forgot the connection, no event reports that: poll.
      while (!is_over) {
        await Promise.race([ended, pause(check_interval_ms, undefined, { signal })]);
        if (!is_over) await peers.checkPeers(next);
      }
    } finally {
      void next.end().catch(() => {});
    }
  };
  // Sequential: however a connection fails, there is never more than one.
  const keepListening = async () => {
    while (!is_closed) {
      await listen().catch(() => {});
      const wait_ms = Math.min(RECONNECT_MS * 2 ** failures, MAX_RECONNECT_MS);
      failures += 1;
      if (!is_closed) await pause(wait_ms, undefined, { signal }).catch(() => {});
    }
  };
  const flush = () => {
    if (unsent.length === 0) return;
    const sending = client?.query(NOTIFY, [CHANNEL, packPayloads(node_id, unsent)]);
    unsent = [];
    flush_done = Promise.all([flush_done, sending]).catch(() => {});
  };
  void keepListening();
  return {
    /** Sends to all other nodes within 10 ms; sends nothing while this node is alone or disconnected. */
    send(messages: NodeMessage[]): void {
      if (messages.length === 0 || is_closed || peers.isAlone()) return;
      if (unsent.length === 0) setTimeout(flush, BATCH_MS);
      unsent.push(...messages);
    },
    /** Sends the pending messages, waiting half a second at most. */
    async close(): Promise<void> {
      is_closed = true;
      flush();
      await waitForFlush(flush_done);
      stop.abort();
      await client?.end().catch(() => {});
    },
  };
}

function createClient(database_url: string, answer_timeout_ms: number, node_title: string | undefined): pg.Client {
  return new pg.Client({
    connectionString: database_url,
    pipeline: true,
    keepAlive: true,
    application_name: node_title === undefined ? CHANNEL : `${CHANNEL} ${node_title}`,
    connectionTimeoutMillis: answer_timeout_ms,
    query_timeout: answer_timeout_ms,
  });
}

/** Returns a function to which each new connection reports the server's incarnation. */
function createIncarnationTracker(
  onNewIncarnation: ChannelHooks['onNewIncarnation'],
): (incarnation: string | undefined) => void {
  let last: string | undefined;
  return (incarnation) => {
    const has_changed = last !== undefined && last !== incarnation;
    last = incarnation;
    if (has_changed) onNewIncarnation?.();
  };
}

/** Tracks whether there are other nodes, as far as this node's connection knows. */
function createPeerTracker({ node_id, onMessage, onPeer }: Omit<ChannelHooks, 'onConnect' | 'onNewIncarnation'>) {
  let is_alone = false;
  let greeting_count = 0;
  const announceNode = (to: pg.Client, is_reconnect: boolean) =>
    to.query(NOTIFY, [CHANNEL, [joinPayload(node_id, [is_reconnect ? HELLO_AGAIN : HELLO])]]);
  const countNodes = async (on: pg.Client) => {
    const before = greeting_count;
    const { rows } = await on.query<{ nodes: number }>(COUNT_NODES);
    const was_alone = is_alone;
    // A node that connected during the query was not counted.
    is_alone = greeting_count === before && (rows[0]?.nodes ?? 0) < 2;
    return { was_alone };
  };
  const handleGreeting = (on: pg.Client, is_reconnect: boolean) => {
    greeting_count += 1;
    if (is_alone) announceNode(on, false).catch(() => {});
    onPeer(is_reconnect);
    is_alone = false;
  };
  return {
    isAlone: () => is_alone,
    sayHere: announceNode,
    handlePayload(on: pg.Client, payload: string): void {
      const { from, texts } = splitPayload(payload);
      if (from === node_id) return;
      for (const text of texts) {
        if (text === HELLO || text === HELLO_AGAIN) handleGreeting(on, text === HELLO_AGAIN);
        else {
          const message = decodeMessage(text);
          if (message) onMessage(message);
        }
      }
    },
    count: countNodes,
    /** Greets a node that was counted but not heard yet, so that it knows from when on it gets everything. */
    async checkPeers(on: pg.Client): Promise<void> {
      if ((await countNodes(on)).was_alone && !is_alone) await announceNode(on, false);
    },
  };
}

/**
 * Registers this node, so that the others count it. It listens first: a node that counts another one greets it, and
 * only once. Returns the server's incarnation.
 */
async function registerNode(client: pg.Client): Promise<string | undefined> {
  await client.query(`set synchronous_commit = off; listen ${CHANNEL}`);
  await client.query(`select pg_advisory_lock_shared(${NODE_LOCK})`);
  const { rows } = await client.query<{ life: string }>(`select ${SERVER_INCARNATION_SQL} as life`);
  return rows[0]?.life;
}

/** Waits for the messages that are being sent, for 500 ms at most. */
async function waitForFlush(sending: Promise<unknown>): Promise<void> {
  const finished = new AbortController();
  const limit = pause(FLUSH_TIMEOUT_MS, undefined, { signal: finished.signal }).catch(() => {});
  await Promise.race([sending, limit]);
  finished.abort();
}

/** For a process that does not listen, such as the operator CLI. */
export async function notifyNodes(database: Database, messages: NodeMessage[]): Promise<void> {
  const payloads = packPayloads('-', messages);
  await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) payload`.execute(database);
}
