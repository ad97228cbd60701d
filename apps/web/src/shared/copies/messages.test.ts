import 'fake-indexeddb/auto';
import type { Message } from '@sendlap/contract/chats.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { EVE, NORA } from '#test/unit/fake-server.ts';
import { session } from '../api/client.ts';
import { cleanUp } from '../local-db/clean-up.ts';
import { deleteUserData, openCache } from '../local-db/database.ts';
import {
  cleanMessages,
  deleteMessageCopies,
  deleteOtherMessageCopies,
  loadMessages,
  saveMessages,
  saveReadAt,
} from './messages.ts';

const CHAT = '44444444-4444-4444-8444-444444444444';
const OTHER_CHAT = '55555555-5555-4555-8555-555555555555';

const show = (user: typeof NORA | null) =>
  vi.spyOn(session, 'getState').mockReturnValue({ ...session.getState(), user });

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await (await openCache()).clear('messages');
});

function messages(first: number, last: number, chat_id = CHAT): Message[] {
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    id: crypto.randomUUID(),
    chat_id,
    seq: first + index,
    message: `message ${first + index}`,
    sender_id: EVE.id,
    sender_name: 'Eve',
    created_at: '2026-11-21T10:00:00.000Z',
    read_at: null,
  }));
}

const seqs = async (chat_id = CHAT) => (await loadMessages(NORA.id, chat_id)).messages.map(({ seq }) => seq);

test('messages are kept for whoever is here and for nobody who is gone, however early the write began', async () => {
  show(NORA);
  const saving = saveMessages(NORA.id, messages(1, 2));
  show(null);
  await Promise.all([saving, deleteUserData()]);
  await saveMessages(NORA.id, messages(1, 2));
  show(EVE);
  await saveMessages(NORA.id, messages(1, 2));
  expect(await loadMessages(NORA.id, CHAT)).toEqual({ messages: [], cached_at: null });
  expect(await (await openCache()).count('messages')).toBe(0);
});

test('after the sign-out none is there, and the owner alone ever sees them', async () => {
  show(NORA);
  await saveMessages(NORA.id, messages(1, 2));
  expect((await loadMessages(EVE.id, CHAT)).messages).toEqual([]);
  await deleteUserData();
  expect(await (await openCache()).count('messages')).toBe(0);
});

test('the newest 100 of each chat are kept, whatever comes first', async () => {
  show(NORA);
  await saveMessages(NORA.id, messages(200, 210, OTHER_CHAT));
  await saveMessages(NORA.id, messages(101, 250));
  await saveMessages(NORA.id, messages(80, 100));
  await saveMessages(NORA.id, messages(251, 251));
  expect([await seqs(), await seqs(OTHER_CHAT)]).toEqual([
    Array.from({ length: 100 }, (_, index) => 152 + index),
    Array.from({ length: 11 }, (_, index) => 200 + index),
  ]);
});

test('a chat is given up alone, or all chats but some, and those of other users stay', async () => {
  show(EVE);
  await saveMessages(EVE.id, messages(1, 2));
  show(NORA);
  await saveMessages(NORA.id, [...messages(1, 3), ...messages(1, 4, OTHER_CHAT)]);
  await deleteOtherMessageCopies(NORA.id, [CHAT, OTHER_CHAT]);
  expect([await seqs(), await seqs(OTHER_CHAT)]).toEqual([
    [1, 2, 3],
    [1, 2, 3, 4],
  ]);
  await deleteOtherMessageCopies(NORA.id, [CHAT]);
  expect([await seqs(), await seqs(OTHER_CHAT)]).toEqual([[1, 2, 3], []]);
  await deleteMessageCopies(NORA.id, CHAT);
  expect(await seqs()).toEqual([]);
  expect((await loadMessages(EVE.id, CHAT)).messages).toHaveLength(2);
});

test('copies of some chats are put right, and nothing else, however often', async () => {
  const clean = (copies: Message[]) => copies.map((copy) => (copy.seq === 1 ? { ...copy, message: '' } : copy));
  const texts = async (user_id: string, chat_id: string) =>
    (await loadMessages(user_id, chat_id)).messages.map(({ message }) => message === '');
  show(EVE);
  await saveMessages(EVE.id, messages(1, 2));
  show(NORA);
  await saveMessages(NORA.id, [...messages(1, 3), ...messages(1, 2, OTHER_CHAT)]);
  for (const chat_ids of [[], [CHAT], [CHAT]]) await cleanMessages(NORA.id, chat_ids, clean);
  expect([await texts(NORA.id, CHAT), await texts(NORA.id, OTHER_CHAT)]).toEqual([
    [true, false, false],
    [false, false],
  ]);
  expect(await texts(EVE.id, CHAT)).toEqual([false, false]);
});

test('copies that are to be put right are given up where the disk has no room for it', async () => {
  show(NORA);
  await saveMessages(NORA.id, messages(1, 3));
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  await cleanMessages(NORA.id, [CHAT], ([copy]) => (copy?.seq === 1 ? [{ ...copy, message: '' }] : copy ? [copy] : []));
  expect(put).toHaveBeenCalled();
  expect(await seqs()).toEqual([2, 3]);
});

test('what lies before a gap is not shown as if nothing were missing', async () => {
  show(NORA);
  await saveMessages(NORA.id, [...messages(1, 3), ...messages(6, 7)]);
  expect(await seqs()).toEqual([6, 7]);
});

test('messages without a number are not kept', async () => {
  show(NORA);
  await saveMessages(NORA.id, messages(0, 0));
  expect(await seqs()).toEqual([]);
});

test('a read mark is noted in the copy that is here, and makes none', async () => {
  show(NORA);
  const [first, second] = messages(1, 2);
  if (!first || !second) throw new Error('two');
  await saveMessages(NORA.id, [first, second]);
  const read_at = '2026-11-21T11:00:00.000Z';
  await saveReadAt(NORA.id, CHAT, { message_ids: [second.id, crypto.randomUUID()], read_at });
  expect((await loadMessages(NORA.id, CHAT)).messages).toEqual([first, { ...second, read_at }]);
});

test('what was read stays read when an answer of before the mark comes after it', async () => {
  show(NORA);
  const [one] = messages(1, 1);
  if (!one) throw new Error('no message');
  await saveMessages(NORA.id, [one]);
  const read_at = '2026-11-21T11:00:00.000Z';
  await saveReadAt(NORA.id, CHAT, { message_ids: [one.id], read_at });
  await saveMessages(NORA.id, [one]);
  expect((await loadMessages(NORA.id, CHAT)).messages).toEqual([{ ...one, read_at }]);
});

test('messages are cleaned away after 30 days', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000 });
  show(NORA);
  await saveMessages(NORA.id, messages(1, 2));
  const month_ms = 30 * 86_400_000;
  await cleanUp(1_000 + month_ms);
  expect(await seqs()).toEqual([1, 2]);
  await cleanUp(1_001 + month_ms);
  expect(await seqs()).toEqual([]);
});
