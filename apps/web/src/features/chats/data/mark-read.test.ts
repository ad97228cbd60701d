import 'fake-indexeddb/auto';
import type { Chat } from '@sendlap/contract/chats.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHAT, CHAT_ID, messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { createTab, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { CHAT_KEY, clearChats } from '#test/unit/thread-helpers.ts';
import { applyLiveEvent } from './chat-live-events.ts';
import { listChatCopiesQuery, listChatsQuery } from './list-queries.ts';
import { markRead, readMarker } from './mark-read.ts';
import { getSyncQuery } from './sync-thread.ts';
import { threads } from './thread-store.ts';

const MARK_READ = `POST /v1/chats/${CHAT_ID}/messages/mark-read`;
const THREAD = getSyncQuery(NORA.id, CHAT_ID);
const LIST = listChatsQuery(NORA.id);

let tab: ReturnType<typeof createTab>;
let queries: QueryClient;
/** Closes the chat. */
let stop: () => void;
/** The state of the server; mark-read requests are answered when `answer` is called. */
let chats: Chat[];
let answer: (unreadCount: number) => void;
let is_failing: boolean;

vi.mock('#web/shared/api/client.ts', () => ({
  call: (...args: Parameters<ReturnType<typeof createTab>['call']>) => tab.call(...args),
  session: { getState: () => ({ user: NORA, checking_auth: false }) },
}));

beforeEach(async () => {
  [chats, is_failing] = [[{ ...CHAT, last_seq: 5, unreadCount: 5 }], false];
  const answered = new Promise<number>((resolve) => {
    answer = resolve;
  });
  queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  tab = createTab({
    'GET /v1/chats': () => reply(chats),
    [`GET /v1/chats/${CHAT_ID}/messages`]: () => (is_failing ? refusal(409, 'conflict') : reply(messagesOf(1, 5))),
    [MARK_READ]: async () => reply({ unreadCount: await answered }),
  });
  tab.token.set(tokenOf(NORA.id), 600);
  await queries.fetchQuery(LIST);
  stop = threads.subscribe(CHAT_KEY, () => {});
});
afterEach(async () => {
  vi.useRealTimers();
  stop();
  queries.clear();
  await clearChats();
});

const see = (...seqs: number[]) => {
  const ids = seqs.map((seq) => messageOf(seq).id);
  markRead(queries, CHAT_KEY, ids);
};
const unreadCount = () => queries.getQueryData<Chat[]>(LIST.queryKey)?.[0]?.unreadCount;
const readCopy = () => queries.fetchQuery({ ...listChatCopiesQuery(NORA.id), staleTime: 0 });
const untilAsked = () => vi.waitFor(() => expect(tab.sent).toContain(MARK_READ));

test('a message that is not stored here cannot be marked read here', async () => {
  await queries.fetchQuery(THREAD);
  see(6);
  expect([unreadCount(), tab.sent.includes(MARK_READ)]).toEqual([5, false]);
});

test('the answer to marks takes back no message that came before it', async () => {
  await queries.fetchQuery(THREAD);
  see(1, 2, 3, 4, 5);
  await untilAsked();
  chats = [{ ...CHAT, last_seq: 6, unreadCount: 1 }];
  applyLiveEvent(queries, NORA.id, { type: 'message_created', message: messageOf(6) });
  answer(0);
  await runTurns();
  expect(unreadCount()).toBe(1);
});

test('the answer to marks takes back nothing that was read elsewhere after them', async () => {
  await queries.fetchQuery(THREAD);
  see(1, 2);
  await untilAsked();
  const message_ids = [3, 4, 5].map((seq) => messageOf(seq).id);
  const read_at = '2026-11-21T11:00:00.000Z';
  const news = { type: 'messages_read' as const, chat_id: CHAT_ID, read_at, reader_id: NORA.id, message_ids };
  applyLiveEvent(queries, NORA.id, { ...news, unread_count: 0 });
  answer(3);
  await runTurns();
  expect(unreadCount()).toBe(0);
});

test('a read mark does not change the age of a chat', async () => {
  const ages = () => [THREAD, LIST].map(({ queryKey }) => queries.getQueryState(queryKey)?.dataUpdatedAt);
  await queries.fetchQuery(THREAD);
  const before = ages();
  vi.setSystemTime(Date.now() + 20);
  see(4, 5);
  expect(unreadCount()).toBe(3);
  expect(ages()).toEqual(before);
  await vi.waitFor(async () => expect((await readCopy())?.chats).toMatchObject([{ unreadCount: 3 }]));
  expect((await readCopy())?.cached_at).toBe(before[1]);
  await untilAsked();
  answer(3);
});

test('a seen message is read at once, counted once, and sent to the server once', async () => {
  await queries.fetchQuery(THREAD);
  see(4, 5);
  see(4, 5);
  expect(unreadCount()).toBe(3);
  expect([...readMarker.seenIn(CHAT_KEY)]).toEqual([4, 5].map((seq) => messageOf(seq).id));
  await untilAsked();
  answer(3);
  await vi.waitFor(() => expect(unreadCount()).toBe(3));
  expect(tab.sent.filter((name) => name === MARK_READ)).toHaveLength(1);
});
