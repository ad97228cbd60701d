import { listMessages, type Message } from '@sendlap/contract/chats.ts';
import { MESSAGE_PAGE_SIZE } from '@sendlap/domain/messages.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { completeMessagesReply } from '#web/shared/api/chat-reply.ts';
import { call } from '#web/shared/api/client.ts';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { STALE_MS, threadKey } from './query-keys.ts';
import { refetchAfterCurrent } from './refetch-after-current.ts';
import {
  addMessage,
  addOlderPage,
  addPage,
  isLong,
  keepNewest,
  nextPageQuery,
  type PageQuery,
  resetThread,
  restartFrom,
} from './thread.ts';
import { type ChatKey, threads } from './thread-store.ts';

/**
 * The state of a chat's sync with the server: when it last succeeded (ms epoch), why it failed. The messages are in
 * `threads`. Fails with ApiError.
 */
export function getSyncQuery(user_id: string, chat_id: string) {
  return queryOptions({
    queryKey: threadKey(user_id, chat_id),
    queryFn: ({ signal }) => syncThread({ user_id, chat_id }, signal),
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

/** Stops the sync with a server whose pages have gaps. */
const MAX_PAGES = 10;

/** Fetches pages until the thread reaches the newest message, at most `MAX_PAGES`. */
async function syncThread(chat: ChatKey, signal: AbortSignal): Promise<number> {
  let is_last = false;
  for (let page_number = 0; !is_last && page_number < MAX_PAGES; page_number += 1) {
    const requested_by = await threads.read(chat);
    const query = nextPageQuery(requested_by, page_number);
    const messages = await fetchPage(chat, query, signal).catch(async (error: unknown) => {
      if (!signal.aborted && isChatNotFound(error)) await threads.change(chat, resetThread);
      throw error;
    });
    await threads.change(chat, (thread) => {
      // A newer fetch has aborted this one: its response may be newer.
      if (signal.aborted) return thread;
      const result = addPage(thread, { query, messages, requested_by });
      is_last = result.is_last;
      return result.thread;
    });
    signal.throwIfAborted();
  }
  if (!is_last) await threads.change(chat, (thread) => ({ ...thread, was_synced: true }));
  return Date.now();
}

function fetchPage(
  { user_id, chat_id }: ChatKey,
  { limit, offset, before, after }: PageQuery,
  signal?: AbortSignal,
): Promise<Message[]> {
  const query = {
    ...(offset === undefined ? {} : { offset: String(offset) }),
    ...(before === undefined ? {} : { before: String(before) }),
    ...(after === undefined ? {} : { after: String(after) }),
    limit: String(limit),
  };
  const normalizeReply = completeMessagesReply({ chat_id });
  const options = { expected_user_id: user_id, normalizeReply, ...(signal ? { signal } : {}) };
  return call(listMessages, { params: { chat_id }, query }, options);
}

/** Whether the server says that the chat does not exist for me. */
export function isChatNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.backend_error === 'chat_not_found';
}

/** Fetches the page before the oldest known message. Throws ApiError. */
export async function fetchOlder(chat: ChatKey): Promise<void> {
  const requested_by = await threads.read(chat);
  const { messages: known, has_older } = requested_by;
  const [first] = known;
  if (!first || !has_older) return;
  const limit = MESSAGE_PAGE_SIZE;
  const query = first.seq > 0 ? { before: first.seq, limit } : { offset: known.length, limit };
  const messages = await fetchPage(chat, query);
  await threads.change(chat, (thread) => addOlderPage(thread, { query, messages, requested_by }));
}

/**
 * Stores a message that the stream or a reply brought. If messages before it are missing, syncs the chat; rejects if that
 * fails. Offline, a chat that no screen shows then begins with this message, unless it `is_kept` elsewhere.
 */
export async function storeMessage(
  queries: QueryClient,
  user_id: string,
  message: Message,
  is_kept = false,
): Promise<void> {
  const chat = { user_id, chat_id: message.chat_id };
  const queryKey = threadKey(user_id, message.chat_id);
  const { needs_sync, generation } = await addIfNext(chat, message);
  if (!needs_sync) return refetchAfterCurrent(queries, queryKey, ({ status }) => status === 'error');
  // A sync in flight may have been answered before the message was written.
  await queries
    .getQueryCache()
    .find({ queryKey, exact: true })
    ?.promise?.catch(() => {});
  if (!(await addIfNext(chat, message, generation)).needs_sync) return;
  // Whatever the device's clock says, the last sync is out of date.
  await queries.invalidateQueries({ queryKey, exact: true, refetchType: 'none' });
  try {
    await queries.fetchQuery({ ...getSyncQuery(user_id, message.chat_id), staleTime: 0 });
  } catch (error) {
    if (is_kept || threads.isShown(chat) || !isUnreachable(error)) throw error;
    await threads.change(chat, (thread) => (thread.generation === generation ? restartFrom(thread, message) : thread));
  }
  const synced = await threads.read(chat);
  // The sync may have been cancelled, because its screen was closed.
  if (synced.generation === generation && (synced.messages.at(-1)?.seq ?? 0) < message.seq)
    throw new Error('the chat could not be synced');
}

/**
 * Adds a message. Ignores it if the thread was emptied since `expected_generation`. `needs_sync`: messages before it are
 * missing, and it was not added.
 */
async function addIfNext(
  chat: ChatKey,
  message: Message,
  expected_generation?: number,
): Promise<{ needs_sync: boolean; generation: number }> {
  let needs_sync = false;
  const { generation } = await threads.change(chat, (thread) => {
    needs_sync = false;
    if (expected_generation !== undefined && thread.generation !== expected_generation) return thread;
    const added = addMessage(thread, message);
    needs_sync = added === null;
    if (!added) return thread;
    // A longer thread is shown by another tab.
    return threads.isShown(chat) || isLong(thread) ? added : keepNewest(added);
  });
  return { needs_sync, generation };
}

/** Empties a thread because the server removed messages, and syncs it again if a screen shows it. */
export async function resyncThread(queries: QueryClient, chat: ChatKey): Promise<void> {
  const queryKey = threadKey(chat.user_id, chat.chat_id);
  const removal = threads.change(chat, resetThread);
  queries.removeQueries({ queryKey, type: 'inactive' });
  await Promise.all([removal, queries.invalidateQueries({ queryKey })]);
}
