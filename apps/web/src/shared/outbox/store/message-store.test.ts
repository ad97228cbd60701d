import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { openOutboxDatabase } from './database.ts';
import type { NewMessage } from './queued-message.ts';
import { createOutboxStore, type OutboxStore } from './store.ts';

const ANA = '11111111-1111-4111-8111-111111111111';
const BEN = '22222222-2222-4222-8222-222222222222';
const CHAT = '33333333-3333-4333-8333-333333333333';
const NOW = 1_800_000_000_000;

let database: Awaited<ReturnType<typeof openOutboxDatabase>>;
let store: OutboxStore;
let changes = 0;

function makeStore(): OutboxStore {
  return createOutboxStore({
    open: async () => database,
    now: () => NOW,
    newId: () => crypto.randomUUID(),
    clockNote: () => null,
    freeSpace: async () => {},
    onChange: () => void changes++,
  });
}

beforeEach(async () => {
  changes = 0;
  database = await openOutboxDatabase(crypto.randomUUID(), () => {});
  store = makeStore();
});

function message(text: string, user_id = ANA): NewMessage {
  return { client_id: crypto.randomUUID(), user_id, chat_id: CHAT, to_name: 'Bea', text };
}

const textsOf = async (user_id = ANA) => (await store.messages.listMessages(user_id)).map(({ text }) => text);

/** Makes all further writes of messages fail as on a full or broken disk. */
function failWrites(name: string): void {
  const real = database.transaction.bind(database);
  database.transaction = ((...args: Parameters<typeof real>) => {
    if (args[1] === 'readwrite') throw new DOMException('no', name);
    return real(...args);
  }) as typeof database.transaction;
}

describe('a refused message', () => {
  test('without room for it a message does not count as saved, and the sender reads which it was', async () => {
    failWrites('QuotaExceededError');
    await expect(store.messages.save(message('Hi'))).rejects.toMatchObject({ code: 'storage_full' });
    expect([await textsOf(), changes]).toEqual([[], 0]);
  });

  test('with a broken disk it is refused as such', async () => {
    failWrites('UnknownError');
    await expect(store.messages.save(message('Hi'))).rejects.toMatchObject({ code: 'storage_failed' });
  });

  test("no user can retry or discard another's message, nor discard one that waits", async () => {
    const [mine, waiting] = [message('mine'), message('waits')];
    await store.messages.save(mine);
    await store.messages.save(waiting);
    await store.messages.markRefused(mine.client_id, { code: 'chat_closed', message: 'Closed' });
    const before = await store.messages.listMessages(ANA);
    await store.messages.retry(BEN, mine.client_id);
    await store.messages.discard(BEN, mine.client_id);
    await store.messages.discard(ANA, waiting.client_id);
    await store.messages.retry(ANA, waiting.client_id);
    expect(await store.messages.listMessages(ANA)).toEqual(before);
  });

  test('late results do not bring back a message that is gone', async () => {
    const gone = message('gone');
    await store.messages.save(gone);
    await store.messages.confirmSent(gone.client_id, 1);
    await store.messages.recordFailure(gone.client_id, 'TIMEOUT');
    await store.messages.markRefused(gone.client_id, { code: 'chat_closed', message: '' });
    await store.messages.retry(ANA, gone.client_id);
    expect(await textsOf()).toEqual([]);
  });
});

test('messages keep the order in which they were written, whatever their ids, and each exists once', async () => {
  const written = Array.from({ length: 20 }, (_, index) => message(String(index)));
  for (const one of written) await store.messages.save(one);
  for (const one of written) await store.messages.save({ ...one, text: 'again' });
  expect(await textsOf()).toEqual(written.map(({ text }) => text));
});

test('a message is written durably, so that it survives the phone losing its power', async () => {
  const asked: unknown[] = [];
  const real = database.transaction.bind(database);
  database.transaction = ((...args: Parameters<typeof real>) => {
    if (args[1] === 'readwrite') asked.push(args[2]);
    return real(...args);
  }) as typeof database.transaction;
  await store.messages.save(message('Hi'));
  expect(asked).toEqual([{ durability: 'strict' }]);
});

test('a refused message is tried again with the same id, at the end; one whose id was taken gets another', async () => {
  const [first, second] = [message('first'), message('second')];
  for (const one of [first, second]) await store.messages.save(one);
  await store.messages.markRefused(first.client_id, { code: 'chat_closed', message: 'Closed' });
  await store.messages.retry(ANA, first.client_id);
  const retried = await store.messages.listMessages(ANA);
  expect(retried).toMatchObject([{ text: 'second' }, { client_id: first.client_id, refused: null, attempts: 0 }]);
  await store.messages.markRefused(first.client_id, { code: 'idempotency_mismatch', message: '' });
  await store.messages.retry(ANA, first.client_id);
  const [, resent] = await store.messages.listMessages(ANA);
  expect(resent).toMatchObject({ text: 'first', refused: null });
  expect(resent?.client_id).not.toBe(first.client_id);
});

test('after_seq of queued messages follows the messages sent and refused before them in the same chat', async () => {
  const texts = ['refused', 'again', 'taken', 'later'];
  const [refused, again, taken, later] = texts.map((text) => ({ ...message(text), after_seq: 4 }));
  const elsewhere = { ...message('elsewhere'), chat_id: crypto.randomUUID(), after_seq: 0 };
  if (!refused || !again || !taken || !later) throw new Error();
  for (const one of [elsewhere, refused, again, taken, later]) await store.messages.save(one);
  const seen = async () => (await store.messages.listMessages(ANA)).map(({ text, after_seq }) => [text, after_seq]);
  const too_long = { code: 'message_too_long', message: '' };
  await store.messages.markRefused(refused.client_id, too_long);
  await store.messages.markRefused(again.client_id, too_long);
  await store.messages.confirmSent(taken.client_id, 7);
  await store.messages.markRefused(later.client_id, too_long);
  expect(await seen()).toEqual([
    ['elsewhere', 0],
    ['refused', 4],
    ['again', 4],
    ['later', 7],
  ]);
  await store.messages.retry(ANA, refused.client_id, 9);
  await store.messages.retry(ANA, again.client_id);
  expect((await seen()).slice(2)).toEqual([
    ['refused', 9],
    ['again', 4],
  ]);
  await store.messages.markRefused(refused.client_id, too_long);
  expect((await seen()).at(-1)).toEqual(['again', 9]);
});

test('a sent message leaves a full disk too, and the next one goes', async () => {
  const [first, second] = [{ ...message('first'), after_seq: 4 }, message('second')];
  for (const one of [first, second]) await store.messages.save(one);
  // As in Chromium: a transaction that only deletes is always committed.
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore) {
    this.transaction.abort();
    throw new DOMException('full', 'QuotaExceededError');
  });
  await store.messages.confirmSent(first.client_id, 5);
  expect(put).toHaveBeenCalled();
  put.mockRestore();
  expect(await textsOf()).toEqual(['second']);
});

test('after_seq stays unknown in a chat until one of its messages was sent', async () => {
  const [first, second, third] = [message('first'), message('second'), message('third')];
  for (const one of [first, second, third]) await store.messages.save(one);
  await store.messages.markRefused(first.client_id, { code: 'message_too_long', message: '' });
  const seen = async () => (await store.messages.listMessages(ANA)).map(({ after_seq }) => after_seq);
  expect(await seen()).toEqual([undefined, undefined, undefined]);
  await store.messages.confirmSent(second.client_id, 1);
  expect(await seen()).toEqual([undefined, 1]);
});

test('leaving asks about waiting and refused messages; discarding deletes those of this user and no other', async () => {
  const refused = message('refused');
  for (const one of [message('waits'), refused, message('of Ben', BEN)]) await store.messages.save(one);
  await store.messages.markRefused(refused.client_id, { code: 'chat_closed', message: '' });
  expect(await store.countLocalOnly(ANA)).toBe(2);
  await store.pruneSent({ keeps_copies: false });
  expect(await store.countLocalOnly(ANA)).toBe(2);
  await store.discardAll(ANA);
  expect([await store.countLocalOnly(ANA), await textsOf(BEN)]).toEqual([0, ['of Ben']]);
});

test.each([1, 2])('an outbox of version %d keeps all its rows and takes messages and sealed work', async (version) => {
  const name = crypto.randomUUID();
  const op = { op_id: 'op', client_id: 'activity', user_id: ANA, kind: 'delete', created_at: 1 };
  const old = await openDB(name, version, {
    upgrade(first) {
      const ops = first.createObjectStore('ops', { keyPath: 'seq', autoIncrement: true });
      ops.createIndex('op_id', 'op_id', { unique: true });
      ops.createIndex('user_id', 'user_id');
      first.createObjectStore('dead', { keyPath: 'op_id' }).createIndex('user_id', 'user_id');
      first.createObjectStore('waiting', { keyPath: 'op_id' }).createIndex('user_id', 'user_id');
      const activities = first.createObjectStore('activities', { keyPath: 'id' });
      activities.createIndex('client_id', 'client_id', { unique: true });
      activities.createIndex('user_id', 'user_id');
      first.createObjectStore('ballast');
      if (version < 2) return;
      const messages = first.createObjectStore('messages', { keyPath: 'client_id' });
      messages.createIndex('user_id', 'user_id');
      messages.createIndex('seq', 'seq', { unique: true });
    },
  });
  await old.add('ops', op);
  await old.add('dead', { ...op, op_id: 'dead', seq: 7 });
  await old.add('waiting', { ...op, op_id: 'waiting', noted_at: NOW });
  await old.add('activities', { id: 'offline_1', client_id: 'activity', user_id: ANA });
  old.close();
  database = await openOutboxDatabase(name, () => {});
  store = makeStore();
  await store.messages.save(message('Hi'));
  expect(await store.listRows(ANA)).toMatchObject({
    ops: [{ ...op, seq: 1 }],
    dead: [{ op_id: 'dead' }],
    waiting: [{ op_id: 'waiting' }],
    activities: [{ id: 'offline_1' }],
    messages: [{ text: 'Hi', seq: 1, created_at: NOW }],
  });
  expect([await database.getAll('sealing_keys'), await database.getAll('sealed')]).toEqual([[], []]);
});
