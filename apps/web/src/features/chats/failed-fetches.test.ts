import 'fake-indexeddb/auto';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHAT_ID, messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { type ChatServer, createChatServer } from '#test/unit/fake-chat-server.ts';
import { type createTab, EVE, NORA } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { CHAT_KEY, clearChats, readThread, showQuery } from '#test/unit/thread-helpers.ts';
import type { StreamEvent } from '#web/shared/live/live.ts';
import { applyLiveEvent, applySentMessage } from './data/chat-live-events.ts';
import { listChatsQuery } from './data/list-queries.ts';
import { markRead } from './data/mark-read.ts';
import { fetchOlder, getSyncQuery } from './data/sync-thread.ts';

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
const newest = async () => (await readThread()).messages.at(-1);
const take = (news: StreamEvent) => applyLiveEvent(queries, NORA.id, news);
const stateOf = ({ queryKey }: { queryKey: readonly unknown[] }) => queries.getQueryState(queryKey);
const untilFailed = (query = THREAD as { queryKey: readonly unknown[] }) =>
  vi.waitFor(() => expect(stateOf(query)?.status).toBe('error'));
const untilAsked = () => vi.waitFor(() => expect(stateOf(THREAD)?.fetchStatus).toBe('fetching'));

const show = (options: { queryKey: readonly unknown[] }) => showQuery(queries, options);

/** The server reports that messages of the chat have changed. */
const change = () => take({ type: 'chat_changed', chat_id: CHAT_ID });

const seeNewest = () => markRead(queries, CHAT_KEY, [messageOf(120).id]);

describe('a chat whose newest page could not be read is read once it can be', () => {
  /** The stream restarts and has missed a message; the refetch fails. */
  const failToRead = async () => {
    const stop = show(THREAD);
    await vi.waitFor(async () => expect((await readThread()).messages).toHaveLength(50));
    server.messages = messagesOf(1, 121);
    server.is_failing = true;
    take({ type: 'resync' });
    await untilFailed();
    return stop;
  };
  const readByEve = (message_id = messageOf(120).id): StreamEvent => ({
    type: 'messages_read',
    chat_id: CHAT_ID,
    message_ids: [message_id],
    read_at: '2026-11-21T12:00:00.000Z',
    reader_id: EVE.id,
    unread_count: 0,
  });
  const comeBack = async (stop: () => void) => {
    server.is_failing = false;
    take({ type: 'opened', resumed: true });
    await vi.waitFor(async () => expect((await newest())?.seq).toBe(121));
    stop();
  };

  test('though messages were marked read in between', async () => {
    const stop = await failToRead();
    seeNewest();
    await runTurns();
    await comeBack(stop);
  });

  test('though messages of mine were marked read in between', async () => {
    const stop = await failToRead();
    take(readByEve());
    await runTurns();
    await comeBack(stop);
  });

  test('though an older page was read in between', async () => {
    const stop = await failToRead();
    const reading = fetchOlder(CHAT_KEY);
    await expect(reading).rejects.toThrow();
    server.is_failing = false;
    await fetchOlder(CHAT_KEY);
    await comeBack(stop);
  });

  test('though the stream came back during another failed read', async () => {
    const stop = await failToRead();
    const answer = Promise.withResolvers<void>();
    server.delay = answer.promise;
    take({ type: 'resync' });
    await untilAsked();
    server.delay = Promise.resolve();
    const back = comeBack(stop);
    answer.resolve();
    await back;
  });

  test('though it was never read before, and the stream came back during a failed read', async () => {
    const answer = Promise.withResolvers<void>();
    server.is_failing = true;
    server.delay = answer.promise;
    const stop = show(THREAD);
    await untilAsked();
    await runTurns();
    server.messages = messagesOf(1, 121);
    server.delay = Promise.resolve();
    const back = comeBack(stop);
    answer.resolve();
    await back;
  });

  test('and arrives, though the stream comes and goes in between', async () => {
    const stop = await failToRead();
    const answer = Promise.withResolvers<void>();
    server.delay = answer.promise;
    server.is_failing = false;
    const { length } = server.pages;
    for (let time = 0; time < 3; time += 1) {
      take({ type: 'opened', resumed: true });
      await runTurns();
    }
    expect(server.pages).toHaveLength(length + 1);
    answer.resolve();
    await comeBack(stop);
  });

  test('and loses no event of a second load where it is closed in between', async () => {
    const stop = await failToRead();
    const answer = Promise.withResolvers<void>();
    server.delay = answer.promise;
    take({ type: 'opened', resumed: true });
    await untilAsked();
    void applySentMessage(queries, NORA.id, messageOf(121, { sender_id: NORA.id }));
    take(readByEve(messageOf(121).id));
    stop();
    await runTurns();
    expect(await newest()).toMatchObject({ seq: 121, read_at: expect.any(String) });
    answer.resolve();
  });

  test('and is neither requested nor reported as loaded with each event in between', async () => {
    const stop = await failToRead();
    const { calls } = server;
    for (const { id } of (await readThread()).messages) {
      take(readByEve(id));
      expect(stateOf(THREAD)).toMatchObject({ status: 'error', fetchStatus: 'idle' });
    }
    await runTurns();
    expect(server.calls).toBe(calls);
    await comeBack(stop);
  });
});

test('a list that could not be read is read once the stream is back, though a message came in between', async () => {
  const stop = show(LIST);
  await vi.waitFor(() => expect(stateOf(LIST)?.status).toBe('success'));
  const { chats } = server;
  server.chats = null as never;
  change();
  await untilFailed(LIST);
  server.chats = chats.map((chat) => ({ ...chat, can_send: false }));
  take({ type: 'message_created', message: messageOf(1) });
  take({ type: 'opened', resumed: true });
  await vi.waitFor(() => expect(queries.getQueryData(LIST.queryKey)?.[0]?.can_send).toBe(false));
  stop();
});
