import 'fake-indexeddb/auto';
import type { Op } from '@sendlap/contract/activities.ts';
import type { Message } from '@sendlap/contract/chats.ts';
import { IDBFactory } from 'fake-indexeddb';
import { onTestFinished, vi } from 'vitest';
import { createDpopProof } from '#web/shared/device/session-key.ts';
import { createOutbox, type OutboxDeps } from '#web/shared/outbox/outbox.ts';
import type { SendOutbox, SendOutcome } from '#web/shared/outbox/send/background-sync.ts';
import { createOutboxStore, type OutboxStore } from '#web/shared/outbox/store/store.ts';
import { reply, tokenOf } from './fake-server.ts';

export const ANA = '11111111-1111-4111-8111-111111111111';
export const BEN = '22222222-2222-4222-8222-222222222222';
export const CHAT = '33333333-3333-4333-8333-333333333333';
export const REFRESH = '/v1/auth/refresh';
export const SYNC = '/v1/activities/sync';
export const MESSAGES = `/v1/chats/${CHAT}/messages`;
const ORIGIN = 'https://sendlap.test';

/** Undefined: the server answers itself. */
export type Answer = () => Response | Error | undefined | Promise<undefined>;

/** A server that applies each op and each message once. */
function createServer() {
  const server = {
    /** The user of the browser's session. */
    user_id: ANA,
    /** The paths of all requests. */
    asked: [] as string[],
    proof_count: 0,
    epoch: 'one',
    ops: [] as string[],
    messages: [] as Message[],
    /** Answers given in place of the server's, by path: it does nothing. */
    instead: {} as Record<string, Answer>,
    /** Answers that arrive although the server has done the work, by path. */
    after: {} as Record<string, Answer>,
  };

  function carryOut(path: string, init: RequestInit): Response {
    const named = { 'x-server-epoch': server.epoch };
    if (path === REFRESH) return reply({ access_token: tokenOf(server.user_id), expires_in: 600 }, 200, named);
    const body = JSON.parse(String(init.body));
    if (path !== SYNC) return reply(storeMessage(body), 201);
    const ids = (body.ops as Op[]).map(({ op_id }) => op_id);
    server.ops = [...new Set([...server.ops, ...ids])];
    return reply({ results: ids.map((op_id) => ({ op_id, outcome: 'accepted' })) });
  }

  function storeMessage({ client_id, message }: { client_id: string; message: string }): Message {
    const known = server.messages.find(({ id }) => id === client_id);
    if (known) return known;
    const seq = server.messages.length + 1;
    const about = { id: client_id, chat_id: CHAT, seq, message, sender_id: server.user_id, sender_name: 'Ana' };
    const stored = { ...about, created_at: '2026-11-21T10:00:00.000Z', read_at: null };
    server.messages.push(stored);
    return stored;
  }

  async function fetch(path: string, init: RequestInit): Promise<Response> {
    server.asked.push(path);
    if (new Headers(init.headers).has('dpop')) server.proof_count += 1;
    const answer = (await server.instead[path]?.()) ?? carryOut(path, init);
    const received = (await server.after[path]?.()) ?? answer;
    if (received instanceof Error) throw received;
    return received;
  }
  return { server, fetch };
}

/** Replaces parts of the browser until the end of the test. */
function lendBrowser(fetch: unknown): void {
  const channels: BroadcastChannel[] = [];
  class RecordedChannel extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      channels.push(this);
    }
  }
  const parts = { fetch, BroadcastChannel: RecordedChannel, indexedDB: new IDBFactory(), location: { origin: ORIGIN } };
  for (const [name, part] of Object.entries(parts)) vi.stubGlobal(name, part);
  onTestFinished(() => {
    for (const channel of channels) channel.close();
    vi.unstubAllGlobals();
  });
  vi.resetModules();
}

type Tabs = typeof import('#web/shared/outbox/tabs.ts');

function openStore({ openOutbox }: Tabs, onChange = () => {}): OutboxStore {
  return createOutboxStore({
    open: openOutbox,
    now: () => Date.now(),
    newId: () => crypto.randomUUID(),
    clockNote: () => null,
    freeSpace: async () => {},
    onChange,
  });
}

function openPage(tabs: Tabs, ports: Partial<OutboxDeps>) {
  const [stored, sent]: [Message[], string[]] = [[], []];
  const page = createOutbox({
    makeStore: (onChange) => openStore(tabs, onChange),
    channel: tabs.openOutboxChannel(),
    lock: tabs.lockOutbox,
    lockChat: tabs.lockChat,
    async send(_, ops) {
      sent.push(...ops.map(({ op_id }) => op_id));
      return ops.map(({ op_id }) => ({ op_id, outcome: 'accepted' }));
    },
    sendMessage: () => Promise.reject(new Error('this page sends no message')),
    monotonicNow: () => 0,
    now: () => Date.now(),
    random: () => 0,
    isOnline: () => true,
    measureClock: async () => null,
    shownUserId: () => ANA,
    confirmedUserId: () => ANA,
    scheduleBackgroundSync: () => {},
    schedule: () => () => {},
    ...ports,
  });
  const showChats = () => page.onMessageSent(async (message) => void stored.push(message));
  return { page, stored, sent, showChats };
}

/** A browser with its worker, its outbox and a server; the app is closed until `openPage`. */
export async function openClosedApp() {
  const { server, fetch } = createServer();
  lendBrowser(fetch);
  const tabs = await import('#web/shared/outbox/tabs.ts');
  const store = openStore(tabs);

  return {
    server,
    store,

    /** Each sign-in makes the key that signs the proofs. */
    async signIn(): Promise<void> {
      await createDpopProof({ method: 'POST', url: ORIGIN, now_ms: Date.now() });
    },

    async saveFinish(): Promise<string> {
      const [op_id, client_id] = [crypto.randomUUID(), crypto.randomUUID()];
      await store.saveOp(ANA, { kind: 'finish', op_id, client_id, ended_at: '2026-11-21T10:45:00Z' });
      return op_id;
    },

    async write(text: string): Promise<void> {
      await store.messages.save({ client_id: crypto.randomUUID(), user_id: ANA, chat_id: CHAT, to_name: 'Bea', text });
    },

    /** Wakes the worker, which sends. */
    async wake(): Promise<SendOutcome> {
      await import('#web/shared/outbox/worker-client.ts');
      return (globalThis as unknown as { sendOutbox: SendOutbox }).sendOutbox(() => {});
    },

    /** The messages that the worker has sent and no page has stored. */
    async listAccepted(): Promise<Message[]> {
      return (await store.messages.listAccepted(ANA)).flatMap(({ accepted }) => accepted ?? []);
    },

    /** A page for Ana. `stored`: the messages of its threads, `sent`: the ops that it has sent itself. */
    openPage: (ports: Partial<OutboxDeps> = {}) => openPage(tabs, ports),
  };
}
