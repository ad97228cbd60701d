import 'fake-indexeddb/auto';
import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHAT, CHAT_ID, messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { type ChatServer, createChatServer, eraseEve } from '#test/unit/fake-chat-server.ts';
import { type createTab, EVE, NORA } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { CHAT_KEY, clearChats, forgetMemory, keepMessages, readThread } from '#test/unit/thread-helpers.ts';
import { openCache } from '#web/shared/local-db/database.ts';
import { applyLiveEvent } from './data/chat-live-events.ts';
import { loadChats } from './data/list-copy.ts';
import { listChatCopiesQuery, listChatsQuery } from './data/list-queries.ts';
import { fetchOlder, getSyncQuery } from './data/sync-thread.ts';
import { threads } from './data/thread-store.ts';

const OTHER_CHAT = '55555555-5555-4555-8555-555555555555';

let server: ChatServer;
let tab: ReturnType<typeof createTab>;
let queries: QueryClient;

vi.mock('#web/shared/api/client.ts', () => ({
  call: (...args: Parameters<ReturnType<typeof createTab>['call']>) => tab.call(...args),
  session: { getState: () => ({ user: NORA, checking_auth: false }) },
}));

/** The messages of Nora and Eve: every third is Nora's. */
const written = (first: number, last: number): Message[] =>
  messagesOf(first, last).map((message) =>
    message.seq % 3 === 0 ? { ...message, sender_id: NORA.id, sender_name: NORA.name, message: 'mine' } : message,
  );

beforeEach(() => {
  queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  ({ server, tab } = createChatServer());
  server.messages = written(1, 119);
  const latest = { latest_message_preview: 'message 119', latest_message_sender_id: EVE.id, last_seq: 119 };
  server.chats = [{ ...CHAT, ...latest }];
});
afterEach(async () => {
  vi.restoreAllMocks();
  queries.clear();
  await clearChats();
});

const THREAD = getSyncQuery(NORA.id, CHAT_ID);
const LIST = listChatsQuery(NORA.id);
const LIST_COPY = listChatCopiesQuery(NORA.id);
const readList = () => queries.fetchQuery({ ...LIST, staleTime: 0 });
const textsOf = (messages: readonly Message[]) => [...new Set(messages.map(({ message }) => message))].sort();
const onScreen = () => textsOf(threads.getSnapshot(CHAT_KEY)?.messages ?? []);
const onDevice = async (chat_id = CHAT_ID) => {
  const copies = await (await openCache()).getAll('messages');
  return textsOf(copies.map(({ value }) => value).filter((message) => message.chat_id === chat_id));
};

/** Observes the query as a screen that shows it does. */
function show(options: { queryKey: readonly unknown[] }): () => void {
  const unsubscribe = threads.subscribe(CHAT_KEY, () => {});
  const unobserve = new QueryObserver(queries, { ...options, staleTime: Number.POSITIVE_INFINITY }).subscribe(() => {});
  return () => {
    unobserve();
    unsubscribe();
  };
}

/** Shows the chat, with one page of older messages loaded. */
async function showChat(): Promise<() => void> {
  const stops = [show(THREAD), show(LIST)];
  await vi.waitFor(() => expect(onScreen()).toContain('message 119'));
  await fetchOlder(CHAT_KEY);
  await vi.waitFor(() => expect(onScreen()).toContain('message 22'));
  await vi.waitFor(async () => expect(await onDevice()).toContain('message 119'));
  return () => {
    for (const stop of stops) stop();
  };
}

test('a device that was off at that time keeps none of their texts once it has read the list, and all of mine', async () => {
  await keepMessages(written(40, 119));
  await keepMessages([messageOf(1, { chat_id: OTHER_CHAT, message: 'of another' })]);
  server.chats = [...server.chats, { ...CHAT, id: OTHER_CHAT }];
  const [erased, ...others] = server.chats;
  server.chats = [erased as Chat];
  eraseEve(server);
  server.chats = [...server.chats, ...others];
  await readList();
  await vi.waitFor(async () => expect(await onDevice()).toEqual(['', 'mine']));
  expect(await onDevice(OTHER_CHAT)).toEqual(['of another']);
  await readList();
  await runTurns();
  expect(await onDevice()).toEqual(['', 'mine']);
  // No seq is missing between my messages, so all of them are shown offline.
  expect((await readThread()).messages).toHaveLength(80);
});

test('where the stream restarts the screen is cleared, and the scroll position stays', async () => {
  const stop = await showChat();
  const ids = (await readThread()).messages.map(({ id }) => id);
  eraseEve(server);
  applyLiveEvent(queries, NORA.id, { type: 'opened', resumed: false });
  await vi.waitFor(() => expect(onScreen()).toEqual(['', 'mine']));
  await vi.waitFor(async () => expect(await onDevice()).toEqual(['', 'mine']));
  await runTurns();
  expect([onScreen(), await onDevice()]).toEqual([
    ['', 'mine'],
    ['', 'mine'],
  ]);
  expect((await readThread()).messages.map(({ id }) => id)).toEqual(ids);
  stop();
});

test('nothing is left on the screen even where the chat cannot be read', async () => {
  const stop = await showChat();
  eraseEve(server);
  server.is_failing = true;
  await readList();
  await vi.waitFor(() => expect(onScreen()).toEqual(['', 'mine']));
  await vi.waitFor(async () => expect(await onDevice()).not.toContain('message 119'));
  stop();
});

test('no message comes back when the chat is closed during a second read, after a failed first one', async () => {
  const stop = await showChat();
  server.is_failing = true;
  applyLiveEvent(queries, NORA.id, { type: 'resync' });
  await vi.waitFor(() => expect(queries.getQueryState(THREAD.queryKey)?.status).toBe('error'));
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  applyLiveEvent(queries, NORA.id, { type: 'opened', resumed: true });
  await vi.waitFor(() => expect(queries.getQueryState(THREAD.queryKey)?.fetchStatus).toBe('fetching'));
  server.delay = Promise.resolve();
  eraseEve(server);
  await readList();
  await vi.waitFor(() => expect(onScreen()).toEqual(['', 'mine']));
  stop();
  await runTurns();
  await vi.waitFor(() => expect(onScreen()).toEqual(['', 'mine']));
  answer.resolve();
});

test('a page on its way when the list reports the erasure is not used: the newest page', async () => {
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  const stop = show(THREAD);
  await vi.waitFor(() => expect(server.pages).toHaveLength(1));
  server.delay = Promise.resolve();
  eraseEve(server);
  await readList();
  await runTurns();
  answer.resolve();
  await vi.waitFor(() => expect(onScreen()).toEqual(['', 'mine']));
  await vi.waitFor(async () => expect(await onDevice()).toEqual(['', 'mine']));
  await runTurns();
  expect([onScreen(), await onDevice()]).toEqual([
    ['', 'mine'],
    ['', 'mine'],
  ]);
  stop();
});

test('a page on its way when the list reports the erasure is not used: an older page', async () => {
  // The newest page has only my messages: nothing on it shows that the older page may be stale.
  server.messages = server.messages.map((message) =>
    message.seq > 60 ? { ...message, sender_id: NORA.id, message: 'mine' } : message,
  );
  const stops = [show(THREAD), show(LIST)];
  await vi.waitFor(() => expect(onScreen()).toEqual(['mine']));
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  const reading = fetchOlder(CHAT_KEY);
  await vi.waitFor(() => expect(server.pages).toHaveLength(2));
  server.delay = Promise.resolve();
  eraseEve(server);
  await readList();
  answer.resolve();
  await reading;
  await vi.waitFor(() => expect(onScreen()).toEqual(['', 'mine']));
  for (const stop of stops) stop();
});

test('a copy on the screen is cleared too, while the chat itself cannot be read', async () => {
  await keepMessages(written(90, 119));
  await readList();
  server.is_failing = true;
  const stop = show(THREAD);
  await vi.waitFor(() => expect(onScreen()).toContain('message 119'));
  eraseEve(server);
  await readList();
  await vi.waitFor(() => expect(onScreen()).not.toContain('message 119'));
  stop();
});

test('an app that ended before the copies were gone does not show them without a network', async () => {
  eraseEve(server);
  await readList();
  await runTurns();
  await keepMessages(written(90, 119));
  queries.clear();
  forgetMemory();
  expect(textsOf((await readThread()).messages)).toEqual(['', 'mine']);
});

test('the list keeps none of their texts either, on the screen or on this device', async () => {
  const stop = show(LIST_COPY);
  await readList();
  await vi.waitFor(async () => expect(await loadChats(NORA.id)).not.toBeNull());
  queries.removeQueries({ queryKey: LIST_COPY.queryKey });
  stop();
  const again = show(LIST_COPY);
  await vi.waitFor(() => expect(queries.getQueryData(LIST_COPY.queryKey)?.chats).toHaveLength(1));
  // A message arrives live while the list is being built; merging that list alone would keep its text.
  applyLiveEvent(queries, NORA.id, { type: 'message_created', message: messageOf(120) });
  eraseEve(server);
  await readList();
  const previews = (chats?: Chat[]) => chats?.map((chat) => [chat.name, chat.latest_message_preview]);
  const expected = [['Athlete', '']];
  expect(previews(queries.getQueryData<Chat[]>(LIST.queryKey))).toEqual(expected);
  await vi.waitFor(() => expect(previews(queries.getQueryData(LIST_COPY.queryKey)?.chats)).toEqual(expected));
  queries.clear();
  const readCopy = () => queries.fetchQuery({ ...LIST_COPY, staleTime: 0 });
  await vi.waitFor(async () => expect(previews((await readCopy())?.chats)).toEqual(expected));
  again();
});

test('a full disk keeps none of their texts either: entries that cannot be rewritten are deleted', async () => {
  await readList();
  await keepMessages(written(90, 119));
  await vi.waitFor(async () => expect(await (await openCache()).count('metadata')).toBe(1));
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore) {
    this.transaction.abort();
    throw new DOMException('full', 'QuotaExceededError');
  });
  eraseEve(server);
  await readList();
  await vi.waitFor(async () => expect(await onDevice()).toEqual(['mine']));
  queries.clear();
  await vi.waitFor(async () => expect(await queries.fetchQuery({ ...LIST_COPY, staleTime: 0 })).toBeNull());
});
