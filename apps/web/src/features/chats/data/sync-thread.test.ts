import 'fake-indexeddb/auto';
import type { Message } from '@sendlap/contract/chats.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHAT, CHAT_ID, messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { type ChatServer, createChatServer } from '#test/unit/fake-chat-server.ts';
import { createTab, EVE, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { CHAT_KEY, clearChats, forgetMemory, readSeqs, readThread, showQuery } from '#test/unit/thread-helpers.ts';
import type { StreamEvent } from '#web/shared/live/live.ts';
import { applyLiveEvent } from './chat-live-events.ts';
import { listChatCopiesQuery, listChatsQuery } from './list-queries.ts';
import { fetchOlder, getSyncQuery, storeMessage } from './sync-thread.ts';

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
const LIST = listChatsQuery(NORA.id);
const open = () => queries.fetchQuery({ ...THREAD, staleTime: 0 });
const range = (first: number, last: number) => messagesOf(first, last).map(({ seq }) => seq);
const applyEvent = (news: StreamEvent) => applyLiveEvent(queries, NORA.id, news);
const create = (message: Message) => applyEvent({ type: 'message_created', message });

const show = (options: { queryKey: readonly unknown[] }) => showQuery(queries, options);

describe('without an answer', () => {
  test('a deleted chat is an error, and this device’s copy does not hide that', async () => {
    tab = createTab({ [`GET /v1/chats/${CHAT_ID}/messages`]: () => refusal(404, 'chat_not_found') });
    tab.token.set(tokenOf(NORA.id), 600);
    await expect(open()).rejects.toMatchObject({ backend_error: 'chat_not_found' });
    expect(await readThread()).toMatchObject({ messages: [], was_synced: false });
  });

  test('a chat that exists again stays, although a late answer of an earlier read says that it does not', async () => {
    const answer = Promise.withResolvers<void>();
    let is_gone = false;
    const late = createTab({
      [`GET /v1/chats/${CHAT_ID}/messages`]: () =>
        is_gone ? answer.promise.then(() => refusal(404, 'chat_not_found')) : reply(messagesOf(71, 120)),
    });
    late.token.set(tokenOf(NORA.id), 600);
    tab = late;
    const stop = show(THREAD);
    await vi.waitFor(async () => expect((await readThread()).was_synced).toBe(true));
    is_gone = true;
    applyEvent({ type: 'resync' });
    await vi.waitFor(() => expect(late.sent).toHaveLength(2));
    is_gone = false;
    applyEvent({ type: 'resync' });
    await vi.waitFor(() => expect(queries.isFetching(THREAD)).toBe(0));
    answer.resolve();
    await runTurns();
    expect(await readSeqs()).toEqual(range(71, 120));
    stop();
  });

  test('without network this device remembers the list and the newest messages of opened chats', async () => {
    await queries.fetchQuery(LIST);
    await open();
    await vi.waitFor(async () => expect((await readThread()).messages).toHaveLength(50));
    queries.clear();
    forgetMemory();
    tab.device.online = false;
    tab = createTab({});
    const copies = await queries.fetchQuery(listChatCopiesQuery(NORA.id));
    expect(copies?.chats).toEqual([CHAT]);
    expect((await readThread()).messages.at(-1)).toEqual(messageOf(120));
    expect((await queries.fetchQuery(listChatCopiesQuery(EVE.id)))?.chats).toBeUndefined();
  });
});

test('opening a chat reads its newest page, and older ones by the seq of the oldest, to the first', async () => {
  await open();
  expect([await readSeqs(), (await readThread()).has_older]).toEqual([range(71, 120), true]);
  await fetchOlder(CHAT_KEY);
  await fetchOlder(CHAT_KEY);
  expect([await readSeqs(), (await readThread()).has_older]).toEqual([range(1, 120), false]);
  await fetchOlder(CHAT_KEY);
  expect(server.pages).toEqual(['?offset=0&limit=50', '?before=71&limit=50', '?before=21&limit=50']);
});

test('a server without seq is read page by page, each message once, in the order of time', async () => {
  server.messages = server.messages.map((message) => ({ ...message, seq: 0 }));
  const stop = show(THREAD);
  await vi.waitFor(async () => expect(await readSeqs()).toHaveLength(50));
  await fetchOlder(CHAT_KEY);
  create(messageOf(121, { seq: 0 }));
  expect(server.pages).toEqual(['?offset=0&limit=50', '?offset=50&limit=50']);
  expect((await readThread()).messages.map(({ id }) => id)).toEqual(messagesOf(21, 121).map(({ id }) => id));
  stop();
});

test('a message that comes while the page is on its way is not lost', async () => {
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  const opening = open();
  await vi.waitFor(() => expect(server.pages).toHaveLength(1));
  create(messageOf(121));
  answer.resolve();
  await opening;
  expect(await readSeqs()).toEqual(range(71, 121));
});

test('read marks that come while the page is on its way are not lost', async () => {
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  const opening = open();
  await vi.waitFor(() => expect(server.pages).toHaveLength(1));
  create(messageOf(121));
  const read_at = '2026-11-21T11:00:00.000Z';
  const message_ids = [messageOf(121).id, messageOf(120).id];
  applyEvent({ type: 'messages_read', chat_id: CHAT_ID, read_at, reader_id: EVE.id, message_ids, unread_count: 0 });
  answer.resolve();
  await opening;
  const marks = (await readThread()).messages.map((message) => message.read_at);
  expect(marks.slice(-3)).toEqual([null, read_at, read_at]);
});

test('read marks that come while an older page is on its way are not lost', async () => {
  await open();
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  const reading = fetchOlder(CHAT_KEY);
  await vi.waitFor(() => expect(server.pages).toHaveLength(2));
  const read_at = '2026-11-21T11:00:00.000Z';
  const message_ids = [messageOf(70).id];
  applyEvent({ type: 'messages_read', chat_id: CHAT_ID, read_at, reader_id: EVE.id, message_ids, unread_count: 0 });
  answer.resolve();
  await reading;
  expect((await readThread()).messages.find(({ seq }) => seq === 70)?.read_at).toBe(read_at);
});

test('a new message is shown at once, however often its event comes, and without a request', async () => {
  await open();
  for (const seq of [121, 121, 120, 3]) create(messageOf(seq));
  await runTurns();
  expect([await readSeqs(), server.pages.length]).toEqual([range(71, 121), 1]);
});

test('a gap before a new message is filled', async () => {
  const stop = show(THREAD);
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(71, 120)));
  server.messages = messagesOf(1, 190);
  create(messageOf(190));
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(71, 190)));
  expect(server.pages.slice(1)).toEqual(['?after=70&limit=100', '?after=170&limit=100']);
  stop();
});

test('missing messages arrive however fast new ones come, and gaps during the load are filled, too', async () => {
  const stop = show(THREAD);
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(71, 120)));
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  server.messages = messagesOf(1, 124);
  for (const seq of [122, 123, 124]) {
    create(messageOf(seq));
    await runTurns();
  }
  expect(server.pages).toHaveLength(2);
  server.messages = messagesOf(1, 126);
  create(messageOf(126));
  answer.resolve();
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(71, 126)));
  await runTurns();
  expect(server.pages).toHaveLength(3);
  stop();
});

test('a message whose sync is cancelled is not stored, and its sender keeps it', async () => {
  await open();
  server.messages = messagesOf(1, 125);
  server.delay = new Promise(() => {});
  const storing = storeMessage(queries, NORA.id, messageOf(125));
  await vi.waitFor(() => expect(server.pages).toHaveLength(2));
  await queries.cancelQueries(THREAD, { silent: true });
  await expect(storing).rejects.toThrow();
  expect(await readSeqs()).toEqual(range(71, 120));
});

function loseNetwork(): void {
  const noNetwork = () => Promise.reject(new TypeError('Failed to fetch'));
  tab = createTab({ [`GET /v1/chats/${CHAT_ID}/messages`]: noNetwork });
  tab.token.set(tokenOf(NORA.id), 600);
  // So the call is not repeated.
  tab.device.online = false;
}

test('offline a chat keeps its messages if the newest one is kept in the outbox', async () => {
  await open();
  loseNetwork();
  await expect(storeMessage(queries, NORA.id, messageOf(125), true)).rejects.toThrow();
  expect(await readSeqs()).toEqual(range(71, 120));
});

test('offline a chat that is not shown begins with the newest message; its next sync brings the rest', async () => {
  await open();
  loseNetwork();
  await storeMessage(queries, NORA.id, messageOf(125));
  expect(await readSeqs()).toEqual([125]);
});

test('a tab that does not show a chat keeps the older messages that another tab shows', async () => {
  await open();
  await fetchOlder(CHAT_KEY);
  await fetchOlder(CHAT_KEY);
  create(messageOf(121));
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(1, 121)));
});

test('after a very long absence the newest page is shown, without a hole, and older ones can be read', async () => {
  await open();
  server.messages = messagesOf(1, 900);
  await open();
  expect([await readSeqs(), (await readThread()).has_older]).toEqual([range(851, 900), true]);
});

test('marks of messages read elsewhere arrive with the next sync', async () => {
  await open();
  server.messages = server.messages.map((message) => ({ ...message, read_at: '2026-11-21T11:00:00.000Z' }));
  await open();
  expect((await readThread()).messages.every(({ read_at }) => read_at !== null)).toBe(true);
});

test('messages that the server has lost, as with an older copy of its database, are not shown among later ones', async () => {
  await open();
  const rewritten = messageOf(101, { id: '99999999-0000-4000-8000-000000000101', message: 'rewritten' });
  server.messages = [...messagesOf(1, 100), rewritten];
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  const reading = open();
  await vi.waitFor(() => expect(server.pages).toHaveLength(2));
  create({ ...rewritten, id: '99999999-0000-4000-8000-000000000102', seq: 102 });
  answer.resolve();
  await reading;
  expect((await readThread()).messages.slice(-3).map(({ seq, message }) => [seq, message])).toEqual([
    [100, 'message 100'],
    [101, 'rewritten'],
    [102, 'rewritten'],
  ]);
});
