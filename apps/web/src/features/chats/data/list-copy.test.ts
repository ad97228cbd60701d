import 'fake-indexeddb/auto';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHAT, CHAT_ID, messageOf } from '#test/unit/fake-chat.ts';
import { type ChatServer, createChatServer, eraseEve } from '#test/unit/fake-chat-server.ts';
import { type createTab, EVE, NORA } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { clearChats, forgetMemory, keepMessages, readSeqs } from '#test/unit/thread-helpers.ts';
import { applyLiveEvent } from './chat-live-events.ts';
import { loadChats } from './list-copy.ts';
import { listChatsQuery } from './list-queries.ts';

const OTHER_CHAT = '55555555-5555-4555-8555-555555555555';
let server: ChatServer;
let tab: ReturnType<typeof createTab>;
let queries: QueryClient;

vi.mock('#web/shared/api/client.ts', () => ({
  call: (...args: Parameters<ReturnType<typeof createTab>['call']>) => tab.call(...args),
  session: { getState: () => ({ user: NORA, checking_auth: false }) },
}));
beforeEach(() => {
  queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  ({ server, tab } = createChatServer());
});
afterEach(async () => {
  vi.restoreAllMocks();
  queries.clear();
  await clearChats();
});
const LIST = listChatsQuery(NORA.id);
const readList = () => queries.fetchQuery({ ...LIST, staleTime: 0 });
const OTHER = { ...CHAT, id: OTHER_CHAT, last_seq: 1 };
const EVES = { ...CHAT, last_seq: 119, latest_message_preview: 'message 119', latest_message_sender_id: EVE.id };
const keptIds = async () => (await loadChats(NORA.id))?.chats.map(({ id }) => id);

/** More turns than a write takes that frees space and is retried. */
const WRITE_AGAIN_TURNS = 100;

/** Makes the n-th write of the list fail for lack of space if `isFull(n)`; returns a counter of the writes. */
function fillDisk(isFull: (nth: number) => boolean = () => true): () => number {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { put } = IDBObjectStore.prototype;
  let puts = 0;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    if (this.name !== 'metadata') return put.apply(this, args);
    puts += 1;
    if (!isFull(puts)) return put.apply(this, args);
    this.transaction.abort();
    throw new DOMException('full', 'QuotaExceededError');
  });
  return () => puts;
}

test('a full disk keeps the previous list, also where a user in it was erased long ago', async () => {
  eraseEve(server);
  server.chats = [...server.chats, OTHER];
  await readList();
  await keepMessages([messageOf(1, { chat_id: OTHER_CHAT })]);
  await vi.waitFor(async () => expect(await keptIds()).toHaveLength(2));
  const countPuts = fillDisk();
  applyLiveEvent(queries, NORA.id, { type: 'message_created', message: messageOf(2, { chat_id: OTHER_CHAT }) });
  await runTurns(WRITE_AGAIN_TURNS);
  expect(countPuts()).toBeGreaterThan(0);
  // The app starts again offline.
  queries.clear();
  forgetMemory();
  expect(await readSeqs(OTHER_CHAT)).toEqual([1, 2]);
  expect(await keptIds()).toEqual([CHAT_ID, OTHER_CHAT]);
});

test('a full disk keeps no list with a chat that a block took away', async () => {
  server.chats = [EVES, OTHER];
  await readList();
  await vi.waitFor(async () => expect(await keptIds()).toHaveLength(2));
  fillDisk();
  server.chats = [OTHER];
  await readList();
  await vi.waitFor(async () => expect((await keptIds()) ?? []).not.toContain(CHAT_ID));
});

test('a list that is written again, when there is room, does not replace a newer one', async () => {
  server.chats = [EVES];
  const countPuts = fillDisk((nth) => nth === 1);
  await queries.fetchQuery(LIST);
  await vi.waitFor(() => expect(countPuts()).toBe(1), { interval: 1 });
  eraseEve(server);
  await readList();
  await vi.waitFor(() => expect(countPuts()).toBe(3));
  await runTurns(WRITE_AGAIN_TURNS);
  expect((await loadChats(NORA.id))?.chats.map((chat) => [chat.name, chat.latest_message_preview])).toEqual([
    ['Athlete', ''],
  ]);
});
