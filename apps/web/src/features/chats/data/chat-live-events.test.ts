import 'fake-indexeddb/auto';
import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHAT, CHAT_ID, messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { createTab, EVE, NORA, refusal, reply, tokenOf } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { CHAT_KEY, clearChats, readSeqs, readThread, showQuery } from '#test/unit/thread-helpers.ts';
import type { StreamEvent } from '#web/shared/live/live.ts';
import { applyLiveEvent, applySentMessage } from './chat-live-events.ts';
import { listChatsQuery } from './list-queries.ts';
import { fetchOlder, getSyncQuery } from './sync-thread.ts';

let tab: ReturnType<typeof createTab>;
let queries: QueryClient;
/** The state of the server. */
let chats: Chat[];
let messages: Message[];
let is_failing: boolean;
/** A page of older messages is answered only after this promise. */
let held: Promise<void>;

vi.mock('#web/shared/api/client.ts', () => ({
  call: (...args: Parameters<ReturnType<typeof createTab>['call']>) => tab.call(...args),
  session: { getState: () => ({ user: NORA, checking_auth: false }) },
}));

async function answerPage(request: Request): Promise<Response> {
  if (is_failing) return refusal(409, 'conflict');
  const { searchParams } = new URL(request.url);
  const limit = Number(searchParams.get('limit'));
  const [before, after] = ['before', 'after'].map((name) => searchParams.get(name));
  const until = before ? messages.filter(({ seq }) => seq < Number(before)) : messages;
  const page = after ? messages.slice(Number(after), Number(after) + limit) : until.slice(-limit);
  if (before) await held;
  return reply(page);
}

beforeEach(() => {
  [chats, messages, is_failing, held] = [[CHAT], messagesOf(1, 120), false, Promise.resolve()];
  queries = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  tab = createTab({
    'GET /v1/chats': () => reply(chats),
    [`GET /v1/chats/${CHAT_ID}/messages`]: answerPage,
  });
  tab.token.set(tokenOf(NORA.id), 600);
});
afterEach(async () => {
  queries.clear();
  await clearChats();
});

const THREAD = getSyncQuery(NORA.id, CHAT_ID);
const LIST = listChatsQuery(NORA.id);
const range = (first: number, last: number) => messagesOf(first, last).map(({ seq }) => seq);
const take = (news: StreamEvent) => applyLiveEvent(queries, NORA.id, news);
const create = (message: Message) => take({ type: 'message_created', message });
const shown = () => queries.getQueryData<Chat[]>(LIST.queryKey);

const show = (options: { queryKey: readonly unknown[] }) => showQuery(queries, options);

test('a message that another user sent from this browser is neither shown nor stored', async () => {
  const stop = show(THREAD);
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(71, 120)));
  await applySentMessage(queries, NORA.id, messageOf(121, { sender_id: EVE.id }));
  expect(await readSeqs()).toEqual(range(71, 120));
  await applySentMessage(queries, NORA.id, messageOf(121, { sender_id: NORA.id }));
  expect(await readSeqs()).toEqual(range(71, 121));
  stop();
});

describe('a chat whose newest page could not be read', () => {
  const fail = async () => {
    is_failing = true;
    const stop = show(THREAD);
    await vi.waitFor(() => expect(queries.getQueryState(THREAD.queryKey)?.status).toBe('error'));
    is_failing = false;
    return stop;
  };

  test('is read again with the next message, which would be shown without those before it', async () => {
    const stop = await fail();
    messages = messagesOf(1, 121);
    create(messageOf(121));
    await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(72, 121)));
    stop();
  });

  test('is read again once the stream resumes at its cursor', async () => {
    const stop = await fail();
    take({ type: 'opened', resumed: true });
    await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(71, 120)));
    stop();
  });

  test('shows the events that arrive during a load in any order, mine among them', async () => {
    const stop = await fail();
    is_failing = true;
    create(messageOf(122));
    await applySentMessage(queries, NORA.id, messageOf(121, { sender_id: NORA.id }));
    expect(await readSeqs()).toEqual([121, 122]);
    await vi.waitFor(() => expect(queries.isFetching(THREAD)).toBe(0));
    expect(await readSeqs()).toEqual([121, 122]);
    stop();
  });

  test('stays failed after read marks, which contain no messages', async () => {
    const stop = await fail();
    const about = { chat_id: CHAT_ID, reader_id: NORA.id, message_ids: [messageOf(1).id], unread_count: 0 };
    take({ type: 'messages_read', read_at: '2026-11-21T11:00:00.000Z', ...about });
    expect(queries.getQueryState(THREAD.queryKey)?.status).toBe('error');
    stop();
  });
});

test('an older page that arrives after its neighbours were dropped leaves no gap', async () => {
  const open = () => queries.fetchQuery({ ...THREAD, staleTime: 0 });
  await open();
  let answer = () => {};
  held = new Promise((resolve) => {
    answer = resolve;
  });
  const reading = fetchOlder(CHAT_KEY);
  messages = messagesOf(1, 900);
  await open();
  answer();
  await reading;
  expect(await readSeqs()).toEqual(range(851, 900));
});

test('the list arrives however fast events come, and is read once more after them', async () => {
  let answer = () => {};
  const list_held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const tells = createTab({ 'GET /v1/chats': () => list_held.then(() => reply(chats)) });
  tells.token.set(tokenOf(NORA.id), 600);
  tab = tells;
  const stop = show(LIST);
  for (let seq = 1; seq <= 5; seq += 1) {
    await vi.waitFor(() => expect(tells.sent).toHaveLength(1));
    create(messageOf(seq));
    await runTurns();
  }
  expect(tells.sent).toHaveLength(1);
  answer();
  await vi.waitFor(() => expect([shown(), tells.sent.length]).toEqual([chats, 2]));
  await runTurns();
  expect(tells.sent).toHaveLength(2);
  stop();
});

test('a chat that has changed is read again: its messages may be gone, and must leave this device too', async () => {
  const texts = async () => (await readThread()).messages.map(({ message }) => message);
  const stop = show(THREAD);
  await vi.waitFor(async () => expect(await texts()).toContain('message 120'));
  await fetchOlder(CHAT_KEY);
  expect(await texts()).toContain('message 21');
  messages = messages.map((one) => ({ ...one, message: '' }));
  take({ type: 'chat_changed', chat_id: CHAT_ID });
  await vi.waitFor(async () => expect(new Set(await texts())).toEqual(new Set([''])));
  await fetchOlder(CHAT_KEY);
  expect([(await readSeqs()).length, new Set(await texts())]).toEqual([100, new Set([''])]);
  stop();
});

describe('read marks that a stream repeats', () => {
  const about = { type: 'messages_read' as const, chat_id: CHAT_ID, reader_id: NORA.id, message_ids: [] };

  test('do not lower an unread count from a later list', async () => {
    chats = [{ ...CHAT, last_seq: 120, unreadCount: 3, latest_message_at: '2026-11-21T12:00:00.000Z' }];
    const stop = show(LIST);
    await vi.waitFor(() => expect(shown()).toEqual(chats));
    const asked = tab.sent.length;
    take({ ...about, read_at: '2026-11-21T11:00:00.000Z', unread_count: 0 });
    for (const seq of [118, 119, 120]) create(messageOf(seq));
    expect(shown()).toMatchObject([{ unreadCount: 3 }]);
    await vi.waitFor(() => expect(tab.sent.slice(asked)).toContain('GET /v1/chats'));
    stop();
  });

  test('count in their order if the list is older', async () => {
    await queries.fetchQuery(LIST);
    for (const seq of [1, 2]) create(messageOf(seq));
    take({ ...about, read_at: messageOf(2).created_at, unread_count: 0 });
    create(messageOf(3));
    expect(shown()).toMatchObject([{ unreadCount: 1 }]);
  });
});

test('read marks of the other user mark my messages; mine from another device lower the unread count', async () => {
  chats = [{ ...CHAT, last_seq: 120, unreadCount: 5 }];
  await queries.fetchQuery(LIST);
  await queries.fetchQuery(THREAD);
  const about = { type: 'messages_read', chat_id: CHAT_ID, read_at: '2026-11-21T11:00:00.000Z' } as const;
  take({ ...about, reader_id: EVE.id, message_ids: [messageOf(119).id], unread_count: 0 });
  expect(shown()).toMatchObject([{ unreadCount: 5 }]);
  take({ ...about, reader_id: NORA.id, message_ids: [messageOf(120).id], unread_count: 4 });
  expect(shown()).toMatchObject([{ unreadCount: 4 }]);
  expect((await readThread()).messages.slice(-3).map(({ read_at }) => read_at)).toEqual([
    null,
    about.read_at,
    about.read_at,
  ]);
});

test('a stream that restarts, or lost events, causes a reload of everything on the screen; one that resumes does not', async () => {
  const stops = [show(THREAD), show(LIST)];
  await vi.waitFor(async () => expect([(await readSeqs()).length, shown()?.length]).toEqual([50, 1]));
  take({ type: 'opened', resumed: true });
  const asked = tab.sent.length;
  messages = messagesOf(1, 121);
  take({ type: 'opened', resumed: false });
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(71, 121)));
  await vi.waitFor(() =>
    expect(tab.sent.slice(asked).sort()).toEqual([`GET /v1/chats`, `GET /v1/chats/${CHAT_ID}/messages`]),
  );
  messages = messagesOf(1, 122);
  take({ type: 'resync' });
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(71, 122)));
  for (const stop of stops) stop();
});
