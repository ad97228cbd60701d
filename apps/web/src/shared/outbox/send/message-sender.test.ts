import 'fake-indexeddb/auto';
import type { Message } from '@sendlap/contract/chats.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ApiError } from '#web/shared/api/errors.ts';
import { openOutboxDatabase } from '../store/database.ts';
import { createMessageStore, type MessageStore } from '../store/message-store.ts';
import type { QueuedMessage } from '../store/queued-message.ts';
import { createMessageSender, type MessageSenderDeps } from './message-sender.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';
const CHATS = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'] as const;

async function openStore(): Promise<MessageStore> {
  const database = await openOutboxDatabase(crypto.randomUUID(), () => {});
  return createMessageStore({
    open: async () => database,
    now: () => 1_800_000_000_000,
    newId: () => crypto.randomUUID(),
    freeSpace: async () => {},
    onChange: () => {},
  });
}

/** Locks that the tabs of one browser share. */
function createLocks(): MessageSenderDeps['lockChat'] {
  const last = new Map<string, Promise<unknown>>();
  return (chat_id, work) => {
    const turn = (last.get(chat_id) ?? Promise.resolve()).then(work);
    last.set(
      chat_id,
      turn.catch(() => {}),
    );
    return turn;
  };
}

type Fate = 'taken' | 'lost' | 'answer_lost' | 'refused' | 'busy' | 'page_dies';
const FATES: readonly Fate[] = ['taken', 'lost', 'answer_lost', 'refused', 'busy', 'page_dies'];

/** A server that stores each id once, behind a network that applies the next of `fates` to each request. */
function createServer(fates: Fate[]) {
  const stored = new Map<string, Message>();
  const counts = new Map<string, number>();
  function take({ client_id, chat_id, text, user_id }: QueuedMessage): Message {
    const known = stored.get(client_id);
    if (known) return known;
    const seq = (counts.get(chat_id) ?? 0) + 1;
    counts.set(chat_id, seq);
    const about = { id: client_id, chat_id, seq, message: text, sender_id: user_id, sender_name: 'Ana' };
    const message = { ...about, created_at: '2026-11-21T10:00:00.000Z', read_at: null };
    stored.set(client_id, message);
    return message;
  }
  return {
    stored,
    async send(message: QueuedMessage): Promise<Message> {
      const fate = fates.shift() ?? 'taken';
      if (fate === 'lost') throw new ApiError({ code: 'NETWORK_ERROR', status: 0 });
      if (fate === 'busy') throw new ApiError({ code: 'HTTP_ERROR', status: 503, is_from_our_server: true });
      if (fate === 'refused' && !stored.has(message.client_id))
        throw new ApiError({ code: 'HTTP_ERROR', status: 409, backend_error: 'chat_closed', is_from_our_server: true });
      const answer = take(message);
      if (fate === 'answer_lost') throw new ApiError({ code: 'TIMEOUT', status: 408 });
      if (fate === 'page_dies') throw new Error('the page is gone');
      return answer;
    },
  };
}

function createTab(ports: Partial<MessageSenderDeps> & Pick<MessageSenderDeps, 'store' | 'sendMessage'>) {
  return createMessageSender({
    lockChat: (_, work) => work(),
    schedule: () => () => {},
    isOnline: () => true,
    onStorageError: () => {},
    random: () => 0,
    confirmedUserId: () => ANA,
    monotonicNow: () => 0,
    onSent: async () => {},
    onFailed: () => {},
    flushAll: async () => true,
    ...ports,
  });
}

const Step = fc.oneof(
  fc.record({ kind: fc.constant('write'), tab: fc.nat(1), chat: fc.nat(1) }),
  fc.record({ kind: fc.constant('kick'), tab: fc.nat(1) }),
  fc.record({ kind: fc.constant('network'), online: fc.boolean() }),
);

test('whatever the network, the pages and the tabs do, the server has each message once and each chat in order, or the message is here as refused', async () => {
  const steps = fc.array(Step, { maxLength: 30 });
  const fates = fc.array(fc.constantFrom(...FATES), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(steps, fates, async (plan, plan_of_fates) => {
      const store = await openStore();
      const server = createServer([...plan_of_fates]);
      let online = true;
      const ports = { store, sendMessage: server.send, lockChat: createLocks(), isOnline: () => online };
      const tabs = [createTab(ports), createTab(ports)] as const;
      const of_ben = { client_id: crypto.randomUUID(), user_id: BEN, chat_id: CHATS[0], to_name: '', text: 'of Ben' };
      await store.save(of_ben);
      const written: string[] = [];
      const running: Promise<unknown>[] = [];
      for (const step of plan) {
        if ('online' in step) online = step.online;
        else if ('chat' in step) {
          const chat_id = CHATS[step.chat === 0 ? 0 : 1];
          const client_id = crypto.randomUUID();
          await store.save({ client_id, user_id: ANA, chat_id, to_name: 'Bea', text: String(written.length) });
          written.push(client_id);
          running.push(tabs[step.tab === 0 ? 0 : 1].flushChat(chat_id));
        } else running.push(tabs[step.tab === 0 ? 0 : 1].flush());
      }
      online = true;
      await Promise.all(running);
      // Each failure ends a run; the remaining plan has fewer failures than this.
      for (let tries = 0; tries <= plan_of_fates.length; tries += 1) await tabs[0].flush();
      const left = await store.listMessages(ANA);
      expect(left.every(({ refused }) => refused !== null)).toBe(true);
      const found = [...left.map(({ client_id }) => client_id), ...server.stored.keys()];
      expect(found.sort()).toEqual([...written].sort());
      for (const chat_id of CHATS) {
        const history = [...server.stored.values()].filter((message) => message.chat_id === chat_id);
        const order = history.map(({ message }) => Number(message));
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
      expect(await store.listMessages(BEN)).toMatchObject([{ text: 'of Ben', attempts: 0 }]);
    }),
    { numRuns: 60 },
  );
});

test('a chat whose message hangs does not hold up another one', async () => {
  const store = await openStore();
  const server = createServer([]);
  let release = () => {};
  const hanging = new Promise<void>((resolve) => {
    release = resolve;
  });
  const tab = createTab({
    store,
    async sendMessage(message) {
      if (message.chat_id === CHATS[0]) await hanging;
      return server.send(message);
    },
  });
  for (const chat_id of CHATS)
    await store.save({ client_id: crypto.randomUUID(), user_id: ANA, chat_id, to_name: '', text: chat_id });
  const all = tab.flush();
  expect(await tab.flushChat(CHATS[1])).toBe(true);
  expect([...server.stored.values()].map(({ chat_id }) => chat_id)).toEqual([CHATS[1]]);
  release();
  expect(await all).toBe(true);
  expect(await store.listMessages(ANA)).toEqual([]);
});

test('too many messages for the server: no chat sends any before the time that it named', async () => {
  const store = await openStore();
  let asked = 0;
  let now = 0;
  const tab = createTab({
    store,
    monotonicNow: () => now,
    sendMessage() {
      asked += 1;
      throw new ApiError({ code: 'HTTP_ERROR', status: 429, is_from_our_server: true, retry_after_s: 20 });
    },
  });
  for (const chat_id of CHATS)
    await store.save({ client_id: crypto.randomUUID(), user_id: ANA, chat_id, to_name: '', text: 'Hi' });
  expect(await tab.flushChat(CHATS[0])).toBe(false);
  now = 19_000;
  expect(await tab.flush()).toBe(false);
  expect(asked).toBe(1);
  now = 20_000;
  await tab.flushChat(CHATS[1]);
  expect(asked).toBe(2);
});

test('nothing is sent without a user or a network, and the queue is reported', async () => {
  const store = await openStore();
  const server = createServer([]);
  await store.save({ client_id: crypto.randomUUID(), user_id: ANA, chat_id: CHATS[0], to_name: '', text: 'Hi' });
  expect(await createTab({ store, sendMessage: server.send, confirmedUserId: () => null }).flush()).toBe(false);
  expect(await createTab({ store, sendMessage: server.send, isOnline: () => false }).flush()).toBe(false);
  expect(server.stored.size).toBe(0);
});

test.each([429, 503])(
  'a server that asks with %i for hours is obeyed for five minutes, by the chat itself too',
  async (status) => {
    const store = await openStore();
    const delays: number[] = [];
    const tab = createTab({
      store,
      schedule(delay_ms) {
        delays.push(delay_ms);
        return () => {};
      },
      sendMessage() {
        throw new ApiError({ code: 'HTTP_ERROR', status, retry_after_s: 86_400 });
      },
    });
    await store.save({ client_id: crypto.randomUUID(), user_id: ANA, chat_id: CHATS[0], to_name: '', text: 'Hi' });
    expect(await tab.flush()).toBe(false);
    expect(delays).toEqual([300_000]);
  },
);
