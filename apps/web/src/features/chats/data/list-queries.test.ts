import 'fake-indexeddb/auto';
import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHAT, CHAT_ID, messageOf } from '#test/unit/fake-chat.ts';
import { type ChatServer, createChatServer } from '#test/unit/fake-chat-server.ts';
import { createTab, EVE, NORA, refusal, tokenOf } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { clearChats, readSeqs, readThread, showQuery } from '#test/unit/thread-helpers.ts';
import type { StreamEvent } from '#web/shared/live/live.ts';
import { applyLiveEvent } from './chat-live-events.ts';
import { loadChats } from './list-copy.ts';
import { getOrCreateChat, listChatCopiesQuery, listChatsQuery } from './list-queries.ts';
import { getSyncQuery } from './sync-thread.ts';

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
  queries.clear();
  await clearChats();
});

const THREAD = getSyncQuery(NORA.id, CHAT_ID);
const OTHER_CHAT = '55555555-5555-4555-8555-555555555555';
const LIST = listChatsQuery(NORA.id);
const open = () => queries.fetchQuery({ ...THREAD, staleTime: 0 });
const take = (news: StreamEvent) => applyLiveEvent(queries, NORA.id, news);
const create = (message: Message) => take({ type: 'message_created', message });
const shown = () => queries.getQueryData<Chat[]>(LIST.queryKey);

const show = (options: { queryKey: readonly unknown[] }) => showQuery(queries, options);

describe('a chat that a block took away', () => {
  const readCopy = async () => (await readSeqs()).length;
  const keep = async () => {
    await queries.fetchQuery(LIST);
    await open();
    await vi.waitFor(async () => expect(await readCopy()).toBe(50));
  };

  test('is not kept on this device once the list is without it', async () => {
    await keep();
    server.chats = [];
    await queries.fetchQuery({ ...LIST, staleTime: 0 });
    await vi.waitFor(async () => expect((await readThread()).messages).toEqual([]));
    expect((await readThread()).was_synced).toBe(false);
  });

  test('is not kept once the server answers that it does not exist', async () => {
    await keep();
    tab = createTab({ [`GET /v1/chats/${CHAT_ID}/messages`]: () => refusal(404, 'chat_not_found') });
    tab.token.set(tokenOf(NORA.id), 600);
    await expect(open()).rejects.toMatchObject({ backend_error: 'chat_not_found' });
    await vi.waitFor(async () => expect((await readThread()).messages).toEqual([]));
    expect(await readThread()).toMatchObject({ messages: [], was_synced: false });
  });

  test('is gone from this device before the list without it is kept', async () => {
    await keep();
    server.chats = [];
    await queries.fetchQuery({ ...LIST, staleTime: 0 });
    await vi.waitFor(async () => expect((await loadChats(NORA.id))?.chats).toEqual([]), { interval: 1 });
    expect(await readCopy()).toBe(0);
  });
});

test('an answer that arrives after a newer request is not stored, and removes nothing', async () => {
  const stop = show(LIST);
  await open();
  await vi.waitFor(async () => expect((await readThread()).messages).toHaveLength(50));
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  server.is_late = true;
  server.chats = [];
  take({ type: 'chat_changed', chat_id: OTHER_CHAT });
  await vi.waitFor(() => expect(tab.sent.filter((name) => name === 'GET /v1/chats')).toHaveLength(2));
  server.chats = [CHAT];
  server.delay = Promise.resolve();
  take({ type: 'chat_changed', chat_id: OTHER_CHAT });
  await vi.waitFor(() => expect(queries.isFetching(LIST)).toBe(0));
  answer.resolve();
  await runTurns();
  expect((await queries.fetchQuery(listChatCopiesQuery(NORA.id)))?.chats).toEqual([CHAT]);
  expect((await readThread()).messages).toHaveLength(50);
  expect((await readThread()).was_synced).toBe(true);
  stop();
});

describe('the list', () => {
  test('shows a new message and counts it, once', async () => {
    await queries.fetchQuery(LIST);
    create(messageOf(1));
    create(messageOf(1));
    expect(shown()).toMatchObject([{ latest_message_preview: 'message 1', last_seq: 1, unreadCount: 1 }]);
  });

  test('forgets nothing that came while it was being read: a message, or a chat that was begun', async () => {
    server.chats = [];
    await queries.fetchQuery(LIST);
    const answer = Promise.withResolvers<void>();
    server.delay = answer.promise;
    const reading = queries.fetchQuery({ ...LIST, staleTime: 0 });
    await vi.waitFor(() => expect(tab.sent).toHaveLength(2));
    await getOrCreateChat(queries, NORA.id, EVE.id);
    create(messageOf(1));
    answer.resolve();
    expect(await reading).toMatchObject([{ id: CHAT_ID, last_seq: 1, unreadCount: 1 }]);
  });

  test('is read again for a chat that it does not know, and when friends or blocks change', async () => {
    const stop = show(LIST);
    await vi.waitFor(() => expect(shown()).toEqual([CHAT]));
    const other = { ...CHAT, id: '55555555-5555-4555-8555-555555555555' };
    server.chats = [other, CHAT];
    create(messageOf(1, { chat_id: other.id }));
    await vi.waitFor(() => expect(shown()).toHaveLength(2));
    server.chats = [];
    take({ type: 'chat_changed', chat_id: CHAT_ID });
    await vi.waitFor(() => expect(shown()).toEqual([]));
    server.chats = [{ ...CHAT, can_send: false }];
    const friend = { id: CHAT_ID, friend_id: EVE.id, friend_name: 'Eve', friend_public_id: 'eve' };
    take({ type: 'friend_changed', is_friend: false, friend });
    await vi.waitFor(() => expect(shown()).toMatchObject([{ can_send: false }]));
    stop();
  });

  test('holds a chat that was opened with a friend, once', async () => {
    server.chats = [];
    await queries.fetchQuery(LIST);
    expect(await getOrCreateChat(queries, NORA.id, EVE.id)).toEqual(CHAT);
    await getOrCreateChat(queries, NORA.id, EVE.id);
    expect(shown()).toEqual([CHAT]);
  });
});
