import 'fake-indexeddb/auto';
import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { beforeEach, expect, test } from 'vitest';
import { openStore } from '#test/unit/outbox-store.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import type { OutboxStore } from '../store/store.ts';
import { sendUnattended, type UnattendedDeps } from './send-unattended.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const CHATS = ['33333333-3333-4333-8333-333333333333', '44444444-4444-4444-8444-444444444444'] as const;

let now = 0;
let store: OutboxStore;
let log: string[];

beforeEach(async () => {
  now = 1_800_000_000_000;
  log = [];
  ({ store } = await openStore({ now: () => now }));
});

function finish(): Op {
  const [op_id, client_id] = [crypto.randomUUID(), crypto.randomUUID()];
  return { kind: 'finish', op_id, client_id, ended_at: '2026-11-21T10:45:00Z' };
}

const write = (chat_id: string, text: string) =>
  store.messages.save({ client_id: crypto.randomUUID(), user_id: ANA, chat_id, to_name: 'Bea', text });

function run(ports: Partial<UnattendedDeps> = {}) {
  return sendUnattended(
    {
      store,
      lock: (work) => work(),
      lockChat: (_, work) => work(),
      async openSession() {
        log.push('session');
        return ANA;
      },
      async send(_, ops) {
        log.push(`${ops.length} ops`);
        return ops.map(({ op_id }): OpResult => ({ op_id, outcome: 'accepted' }));
      },
      async sendMessage({ client_id, chat_id, text, user_id }) {
        log.push(text);
        const about = { id: client_id, chat_id, seq: 1, message: text, sender_id: user_id, sender_name: 'Ana' };
        return { ...about, created_at: '2026-11-21T10:00:00.000Z', read_at: null };
      },
      onResults: () => {},
      now: () => now,
      measureClock: async () => null,
      random: () => 0,
      monotonicNow: () => 0,
      async wait(delay_ms) {
        log.push(`waited ${delay_ms} ms`);
        now += delay_ms;
      },
      ...ports,
    },
    () => void log.push('begin'),
  );
}

test('nothing is requested while nothing waits, or once an open page has sent it', async () => {
  expect(await run()).toBe('done');
  const op = finish();
  await store.saveOp(ANA, op);
  const lock: UnattendedDeps['lock'] = async (work) => {
    await store.applyResults([{ op_id: op.op_id, outcome: 'accepted' }]);
    return work();
  };
  expect(await run({ lock })).toBe('done');
  expect(log).toEqual([]);
});

test('the lock of a chat is waited for, too', async () => {
  await write(CHATS[0], 'in flight');
  const lockChat: UnattendedDeps['lockChat'] = async (_, work) => {
    for (const { client_id } of await store.messages.listMessages(ANA)) await store.messages.confirmSent(client_id, 1);
    return work();
  };
  expect(await run({ lockChat })).toBe('done');
  expect(log).toEqual([]);
});

test('an op that can still be undone is left to an open page, and sent after its time without one', async () => {
  await store.saveOp(ANA, finish(), { hold_ms: 5_000 });
  expect(await run()).toBe('done');
  expect(log).toEqual(['waited 6000 ms', 'begin', 'session', '1 ops']);
});

test('activities go before messages', async () => {
  await write(CHATS[0], 'one');
  await store.saveOp(ANA, finish());
  await write(CHATS[1], 'two');
  expect(await run()).toBe('done');
  expect(log).toEqual(['begin', 'session', '1 ops', 'one', 'two']);
  expect(await store.readQueue()).toEqual({ op_count: 0, chat_ids: [], held_ms: 0 });
});

test('a server that is busy for one chat gets no request for the next', async () => {
  await write(CHATS[0], 'one');
  await write(CHATS[1], 'two');
  const asked: string[] = [];
  const outcome = await run({
    async sendMessage({ text }) {
      asked.push(text);
      throw new ApiError({ code: 'HTTP_ERROR', status: 429, retry_after_s: 30, is_from_our_server: true });
    },
  });
  expect([outcome, asked]).toEqual(['failed', ['one']]);
  expect(new Set((await store.readQueue()).chat_ids)).toEqual(new Set(CHATS));
});

test('messages go although an activity could not', async () => {
  await store.saveOp(ANA, finish());
  await write(CHATS[0], 'one');
  const send = () => Promise.reject(new ApiError({ code: 'HTTP_ERROR', status: 503 }));
  expect(await run({ send })).toBe('failed');
  expect(log).toEqual(['begin', 'session', 'one']);
});

test('a call that is refused for its session ends the sending, to be tried again', async () => {
  await store.saveOp(ANA, finish());
  await write(CHATS[0], 'one');
  const send = () => Promise.reject(new ApiError({ code: 'REAUTH_REQUIRED', status: 403 }));
  expect(await run({ send })).toBe('failed');
  expect(log).toEqual(['begin', 'session']);
});

test('a failed database is no failed request', async () => {
  await store.saveOp(ANA, finish());
  await expect(run({ store: { ...store, listOps: () => Promise.reject(new Error('closed')) } })).rejects.toThrow(
    'closed',
  );
});

test('a later start goes on with the smaller batches that a time-out has left', async () => {
  for (let count = 0; count < 50; count += 1) await store.saveOp(ANA, finish());
  const send = () => Promise.reject(new ApiError({ code: 'TIMEOUT', status: 408 }));
  expect(await run({ send })).toBe('failed');
  log = [];
  expect(await run()).toBe('done');
  expect(log.filter((line) => line.endsWith('ops'))).toEqual(['13 ops', '26 ops', '11 ops']);
});
