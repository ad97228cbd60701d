import 'fake-indexeddb/auto';
import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHAT_ID, messageOf, messagesOf } from '#test/unit/fake-chat.ts';
import { type ChatServer, createChatServer } from '#test/unit/fake-chat-server.ts';
import { type createTab, NORA } from '#test/unit/fake-server.ts';
import { runTurns } from '#test/unit/run-turns.ts';
import { CHAT_KEY, clearChats, forgetMemory, readSeqs, readThread, showQuery } from '#test/unit/thread-helpers.ts';
import type { StreamEvent } from '#web/shared/live/live.ts';
import { openCache } from '#web/shared/local-db/database.ts';
import { applyLiveEvent } from './data/chat-live-events.ts';
import { listChatsQuery } from './data/list-queries.ts';
import { markRead } from './data/mark-read.ts';
import { fetchOlder, getSyncQuery } from './data/sync-thread.ts';
import { threads } from './data/thread-store.ts';

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
const take = (news: StreamEvent) => applyLiveEvent(queries, NORA.id, news);

const show = (options: { queryKey: readonly unknown[] }) => showQuery(queries, options);

/** The server reports that messages of the chat have changed. */
const change = () => take({ type: 'chat_changed', chat_id: CHAT_ID });
const blank = () => {
  server.messages = server.messages.map((message) => ({ ...message, message: '' }));
};
const texts = async () => new Set((await readThread()).messages.map(({ message }) => message));
/** The texts of this device's copies. */
const copies = async () => {
  const kept = await (await openCache()).getAll('messages');
  return kept.map(({ value }) => value.message);
};
const untilBlank = () => vi.waitFor(async () => expect(await texts()).toEqual(new Set([''])));
const untilBlankOnDevice = () => vi.waitFor(async () => expect(new Set(await copies())).toEqual(new Set([''])));

/** Shows the chat with its newest page, or with two pages. */
const showPages = async (count: number) => {
  const stop = show(THREAD);
  await vi.waitFor(async () => expect(await readSeqs()).toEqual(range(71, 120)));
  if (count > 1) await fetchOlder(CHAT_KEY);
  await vi.waitFor(async () => expect(await copies()).toHaveLength(50 * count));
  return stop;
};

test('a chat that has changed keeps no earlier message where the stream restarts while it is read again', async () => {
  const stop = await showPages(2);
  blank();
  change();
  take({ type: 'resync' });
  await untilBlank();
  await untilBlankOnDevice();
  await runTurns();
  expect([await texts(), new Set(await copies())]).toEqual([new Set(['']), new Set([''])]);
  stop();
});

test('a chat that has changed keeps no earlier message where it changes while its first page is on its way', async () => {
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  const stop = show(THREAD);
  await vi.waitFor(() => expect(server.pages).toHaveLength(1));
  // One more message: the first message of the page is not on the next response's page.
  server.messages = messagesOf(1, 121);
  blank();
  server.delay = Promise.resolve();
  change();
  answer.resolve();
  await untilBlank();
  await untilBlankOnDevice();
  await runTurns();
  expect([await readSeqs(), await texts(), new Set(await copies())]).toEqual([
    range(72, 121),
    new Set(['']),
    new Set(['']),
  ]);
  stop();
});

test('a chat that has changed keeps no earlier message once it can be read, however often it could not', async () => {
  const stop = await showPages(2);
  blank();
  server.is_failing = true;
  change();
  await vi.waitFor(() => expect(queries.getQueryState(THREAD.queryKey)?.status).toBe('error'));
  take({ type: 'resync' });
  await runTurns();
  server.is_failing = false;
  take({ type: 'resync' });
  await untilBlank();
  stop();
});

test('a chat that has changed keeps no earlier message after a cancelled, late read and a failed one', async () => {
  const stop = await showPages(2);
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  server.is_late = true;
  blank();
  change();
  await vi.waitFor(() => expect(server.pages).toHaveLength(3));
  server.delay = Promise.resolve();
  server.is_failing = true;
  take({ type: 'resync' });
  await vi.waitFor(() => expect(queries.getQueryState(THREAD.queryKey)?.status).toBe('error'));
  answer.resolve();
  await runTurns();
  server.is_failing = false;
  take({ type: 'resync' });
  await untilBlank();
  stop();
});

test('a chat that has changed does not store a late answer on this device', async () => {
  const stop = await showPages(1);
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  server.is_late = true;
  take({ type: 'resync' });
  await vi.waitFor(() => expect(server.pages).toHaveLength(2));
  server.delay = Promise.resolve();
  blank();
  change();
  await untilBlank();
  await untilBlankOnDevice();
  answer.resolve();
  await runTurns();
  expect([await texts(), new Set(await copies())]).toEqual([new Set(['']), new Set([''])]);
  stop();
});

test('a chat that has changed takes no older page that was requested before', async () => {
  const stop = await showPages(1);
  const answer = Promise.withResolvers<void>();
  server.delay = answer.promise;
  const reading = fetchOlder(CHAT_KEY);
  await vi.waitFor(() => expect(server.pages).toHaveLength(2));
  server.delay = Promise.resolve();
  blank();
  change();
  await untilBlank();
  answer.resolve();
  await reading;
  expect(await texts()).toEqual(new Set(['']));
  stop();
});

test('a chat that has changed shows no earlier copy if it cannot be read', async () => {
  await queries.fetchQuery(LIST);
  await open();
  await vi.waitFor(async () => expect(await copies()).toHaveLength(50));
  queries.removeQueries({ queryKey: THREAD.queryKey });
  forgetMemory();
  server.is_failing = true;
  const stop = show(THREAD);
  await vi.waitFor(() => expect(threads.getSnapshot(CHAT_KEY)?.messages).toHaveLength(50));
  change();
  await vi.waitFor(() => expect(threads.getSnapshot(CHAT_KEY)?.messages).toEqual([]));
  stop();
});

test('a chat that has changed is dropped where no screen shows it', async () => {
  (await showPages(1))();
  change();
  expect(await readThread()).toMatchObject({ messages: [], was_synced: false });
});

describe('a chat that could not be read again when it had changed', () => {
  const failToRead = async () => {
    const stop = await showPages(2);
    blank();
    server.is_failing = true;
    change();
    await vi.waitFor(() => expect(queries.getQueryState(THREAD.queryKey)?.status).toBe('error'));
    return stop;
  };
  const comeBack = () => {
    server.is_failing = false;
    take({ type: 'opened', resumed: true });
  };

  test('is read once the stream is back, though messages were marked read in between', async () => {
    const stop = await failToRead();
    markRead(queries, CHAT_KEY, [messageOf(120).id]);
    comeBack();
    await untilBlank();
    stop();
  });

  test('is read once the stream is back, though a message came in between', async () => {
    const stop = await failToRead();
    const message = messageOf(121);
    server.messages = [...server.messages, message];
    take({ type: 'message_created', message });
    comeBack();
    await vi.waitFor(async () => expect(await texts()).toEqual(new Set(['', message.message])));
    stop();
  });
});
