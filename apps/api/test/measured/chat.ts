// The whole app on a PostgreSQL as `npm start` runs it; a bench forks it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { createSessions } from '#api/sessions/sessions.ts';
import { auditChats } from './chat-audit.ts';
import { fillChats, makePairs } from './chat-people.ts';
import { openScene } from './scene.ts';
import { answer } from './serve.ts';

/** A request of the bench. */
export type ChatOrder =
  /** Creates receivers with `senders_each` friends each: `People`. Can be sent once. */
  | { what: 'people'; receivers: number; senders_each: number }
  /** Adds `messages` messages to each of the last `chats` chats. */
  | { what: 'history'; chats: number; messages: number }
  | { what: 'memory' }
  | { what: 'audit' }
  /** Commits and messages since the previous request: `CommitCounts`. */
  | { what: 'commits' };

export interface People {
  senders: { chat_id: string; token: string; receiver: number }[];
  /** Bearer tokens. */
  receivers: string[];
}

/** Measured after a garbage collection. */
export interface Memory {
  rss_bytes: number;
  heap_bytes: number;
}

export interface CommitCounts {
  commits: number;
  messages: number;
}

/** Sessions that are created concurrently. */
const AT_ONCE = 16;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const scene = await openScene();
const sessions = createSessions({ database: scene.database, secrets: scene.secrets });
let chat_ids: string[] = [];

async function signInAll(user_ids: string[]): Promise<string[]> {
  const tokens: string[] = [];
  for (let at = 0; at < user_ids.length; at += AT_ONCE) {
    const some = user_ids.slice(at, at + AT_ONCE);
    const made = await Promise.all(some.map((user_id) => sessions.create(user_id, 'Bench')));
    tokens.push(...made.map(({ access_token }) => access_token));
  }
  return tokens;
}

async function makePeople(receivers: number, senders_each: number): Promise<People> {
  const pairs = await makePairs(scene.database, receivers, senders_each);
  chat_ids = pairs.map(({ chat_id }) => chat_id);
  const receiver_ids = [...new Set(pairs.map(({ receiver_id }) => receiver_id))];
  const numbers = new Map(receiver_ids.map((id, nth) => [id, nth]));
  const tokens = await signInAll(pairs.map(({ sender_id }) => sender_id));
  return {
    senders: pairs.map(({ chat_id, receiver_id }, nth) => ({
      chat_id,
      token: tokens[nth] ?? '',
      receiver: numbers.get(receiver_id) ?? 0,
    })),
    receivers: await signInAll(receiver_ids),
  };
}

function readMemory(): Memory {
  collectGarbage();
  collectGarbage();
  const { rss: rss_bytes, heapUsed: heap_bytes } = process.memoryUsage();
  return { rss_bytes, heap_bytes };
}

let before: CommitCounts = { commits: 0, messages: 0 };

async function countCommits(): Promise<CommitCounts> {
  const { rows } = await sql<CommitCounts>`
    select (select xact_commit::int from pg_stat_database where datname = current_database()) as commits,
      (select count(*)::int from messages) as messages
  `.execute(scene.database);
  const { commits = 0, messages = 0 } = rows[0] ?? {};
  const since = { commits: commits - before.commits, messages: messages - before.messages };
  before = { commits, messages };
  return since;
}

async function carryOut(order: ChatOrder): Promise<object> {
  switch (order.what) {
    case 'people':
      return makePeople(order.receivers, order.senders_each);
    case 'history':
      await fillChats(scene.database, chat_ids.slice(-order.chats), order.messages);
      return {};
    case 'memory':
      return readMemory();
    case 'audit':
      return auditChats(scene.database);
    case 'commits':
      return countCommits();
  }
}

const { port } = new URL(scene.url);
answer<object, ChatOrder>({ port: Number(port), path: '/', headers: {} }, carryOut);
