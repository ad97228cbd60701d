import { openTabChannel } from '#web/shared/lib/tab-channel.ts';
import 'fake-indexeddb/auto';
import type { Message } from '@sendlap/contract/chats.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHAT_ID, messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { EVE, NORA } from '#test/unit/fake-server.ts';
import { clearChats, forgetMemory, keepMessages, readSeqs, readThread } from '#test/unit/thread-helpers.ts';
import { session } from '#web/shared/api/client.ts';
import { cleanUp } from '#web/shared/local-db/clean-up.ts';
import { deleteUserData, openCache } from '#web/shared/local-db/database.ts';
import { addMessage, applyReadReceipt, eraseOther, keepNewest, NO_MESSAGES, resetThread } from './thread.ts';
import { createThreadStore, threads } from './thread-store.ts';

const OTHER_CHAT = '55555555-5555-4555-8555-555555555555';
const CHAT = { user_id: NORA.id, chat_id: CHAT_ID };
const READ_AT = '2026-11-21T11:00:00.000Z';

const signIn = (user: typeof NORA | null) =>
  vi.spyOn(session, 'getState').mockReturnValue({ ...session.getState(), user });
const inOtherChat = (first: number, last: number) =>
  messagesOf(first, last).map((message) => ({ ...message, chat_id: OTHER_CHAT }));
const addNext = (message: Message) => threads.change(CHAT, (thread) => addMessage(thread, message) ?? thread);
const range = (first: number, last: number) => messagesOf(first, last).map(({ seq }) => seq);
const countStored = async () => (await openCache()).count('messages');

beforeEach(() => {
  signIn(NORA);
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await clearChats();
});

function fillDisk() {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  return vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
}

test('messages are stored only for the signed-in user, even if the write began before the sign-out', async () => {
  const saving = keepMessages(messagesOf(1, 2));
  signIn(null);
  await Promise.all([saving, deleteUserData()]);
  await keepMessages(messagesOf(1, 2));
  signIn(EVE);
  await keepMessages(messagesOf(1, 2));
  expect(await readThread()).toEqual(NO_MESSAGES);
  expect(await countStored()).toBe(0);
});

test('after the sign-out none is there, and the owner alone ever sees them', async () => {
  await keepMessages(messagesOf(1, 2));
  expect(await threads.read({ ...CHAT, user_id: EVE.id })).toEqual(NO_MESSAGES);
  await deleteUserData();
  expect([await countStored(), await (await openCache()).count('threads')]).toEqual([0, 0]);
  expect(await readThread()).toEqual(NO_MESSAGES);
});

test('a stored thread is there after a restart: its messages and its state', async () => {
  await keepMessages(messagesOf(5, 7));
  await threads.change(CHAT, (thread) => eraseOther({ ...resetThread(thread), messages: messagesOf(5, 6) }, NORA.id));
  const before = await readThread();
  forgetMemory();
  expect(await readThread()).toEqual(before);
  expect(before).toMatchObject({ generation: 1, is_erased: true, has_older: true, updated_at: expect.any(Number) });
  expect(before.messages.map(({ seq, message }) => [seq, message])).toEqual([
    [5, ''],
    [6, ''],
  ]);
});

test('a change writes the new messages, and nothing else', async () => {
  await keepMessages(messagesOf(1, 100));
  const put = vi.spyOn(IDBObjectStore.prototype, 'put');
  await addNext(messageOf(101));
  expect(put.mock.contexts.map((store) => (store as IDBObjectStore).name)).toEqual(['messages', 'threads']);
  await addNext(messageOf(101));
  expect(put).toHaveBeenCalledTimes(2);
  await threads.change(CHAT, keepNewest);
  expect([await readSeqs(), await countStored()]).toEqual([range(2, 101), 100]);
});

test('changes of one moment are made one after the other, and none is lost', async () => {
  await Promise.all(messagesOf(1, 30).map(addNext));
  expect(await readSeqs()).toEqual(range(1, 30));
});

test('a screen gets each change, also one of another tab; the other tab gets it once', async () => {
  const tabs = [1, 2].map(() => createThreadStore(openTabChannel('two-tabs')));
  const [here, there] = tabs as [typeof threads, typeof threads];
  const heard: (number | undefined)[] = [];
  const stop = there.subscribe(CHAT, () => heard.push(there.getSnapshot(CHAT)?.messages.at(-1)?.seq));
  expect(there.getSnapshot(CHAT)).toBeNull();
  await vi.waitFor(() => expect(heard).toEqual([undefined]));
  await here.change(CHAT, (thread) => addMessage(thread, messageOf(1)) ?? thread);
  await vi.waitFor(() => expect(heard).toEqual([undefined, 1]));
  await there.change(CHAT, (thread) => addMessage(thread, messageOf(2)) ?? thread);
  expect(heard).toEqual([undefined, 1, 2]);
  expect([there.isShown(CHAT), here.isShown(CHAT)]).toEqual([true, false]);
  stop();
  await there.change(CHAT, (thread) => addMessage(thread, messageOf(3)) ?? thread);
  expect([heard.length, there.isShown(CHAT)]).toEqual([3, false]);
});

test('a chat that is closed keeps its newest 100 messages, and is no newer for it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  const stop = threads.subscribe(CHAT, () => {});
  await keepMessages(messagesOf(1, 150));
  expect(await countStored()).toBe(150);
  vi.setSystemTime(2_000);
  stop();
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(51, 150)));
  expect((await readThread()).updated_at).toBe(1_000);
});

test('messages erased while a chat is in memory are gone from the disk too', async () => {
  await keepMessages(messagesOf(1, 3));
  fillDisk();
  await addNext(messageOf(4));
  await threads.change(CHAT, (thread) => eraseOther(thread, NORA.id));
  forgetMemory();
  expect([await readSeqs(), await countStored()]).toEqual([[], 0]);
});

test('chats are listed by user, those in memory too', async () => {
  await keepMessages([...messagesOf(1, 3), ...inOtherChat(1, 4)]);
  signIn(EVE);
  await keepMessages(messagesOf(1, 2), EVE.id);
  expect(await threads.listChatIds(EVE.id)).toEqual([CHAT_ID]);
  expect((await threads.listChatIds(NORA.id)).sort()).toEqual([CHAT_ID, OTHER_CHAT]);
});

test('on a full disk a chat continues in memory, and forbidden data is deleted from the disk', async () => {
  await keepMessages(messagesOf(1, 3));
  const put = fillDisk();
  await addNext(messageOf(4));
  await addNext(messageOf(5));
  expect([await readSeqs(), await countStored()]).toEqual([range(1, 5), 3]);
  expect(put).toHaveBeenCalled();
  await keepMessages([{ ...messageOf(7, { sender_id: NORA.id }), chat_id: OTHER_CHAT }, ...inOtherChat(8, 9)]);
  expect(await threads.listChatIds(NORA.id)).toContain(OTHER_CHAT);
  vi.restoreAllMocks();
  signIn(NORA);
  // There is room again: the thread in memory is stored with the next change.
  await addNext(messageOf(6));
  forgetMemory();
  expect(await readSeqs()).toEqual(range(1, 6));
  fillDisk();
  await threads.change(CHAT, (thread) => eraseOther(thread, NORA.id));
  forgetMemory();
  expect([await readSeqs(), await countStored()]).toEqual([[], 0]);
});

test('messages that were stored with a gap are shown from the gap on', async () => {
  const database = await openCache();
  for (const message of [...messagesOf(1, 3), ...messagesOf(6, 7)]) {
    const { chat_id, seq } = message;
    await database.put('messages', { value: message, user_id: NORA.id, chat_id, seq, cached_at: 8, expires_at: 9 });
  }
  expect(await readThread()).toMatchObject({ messages: messagesOf(6, 7), has_older: true, updated_at: 8 });
  await addNext(messageOf(8));
  expect([await readSeqs(), await countStored()]).toEqual([range(6, 8), 3]);
});

test('messages without a number are not stored, but shown', async () => {
  await addNext(messageOf(1, { seq: 0 }));
  expect([await readSeqs(), await countStored()]).toEqual([[0], 0]);
});

test('a read mark is stored in its message and creates none; a mark of a message still to come is kept', async () => {
  await keepMessages(messagesOf(1, 2));
  await threads.change(CHAT, (thread) => applyReadReceipt(thread, [messageOf(2).id, messageOf(3).id], READ_AT));
  forgetMemory();
  expect((await readThread()).early_reads).toEqual([{ id: messageOf(3).id, read_at: READ_AT }]);
  expect((await readThread()).messages).toEqual([messageOf(1), { ...messageOf(2), read_at: READ_AT }]);
});

test('a chat is cleaned away 30 days after the server last said something about it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  await keepMessages(messagesOf(1, 2));
  await keepMessages(inOtherChat(1, 2));
  const month_ms = 30 * 86_400_000;
  vi.setSystemTime(2_000);
  // The older messages are not written again, and stay with their chat.
  await addNext(messageOf(3));
  await cleanUp(1_000 + month_ms);
  expect([await readSeqs(), await readSeqs(OTHER_CHAT)]).toEqual([range(1, 3), range(1, 2)]);
  await cleanUp(1_001 + month_ms);
  expect([await readSeqs(), await readSeqs(OTHER_CHAT)]).toEqual([range(1, 3), []]);
  await cleanUp(2_001 + month_ms);
  expect([await readSeqs(), await (await openCache()).count('threads')]).toEqual([[], 0]);
});
