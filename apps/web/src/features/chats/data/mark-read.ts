import { markMessagesRead } from '@sendlap/contract/chats.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { withUnread } from './chat-list.ts';
import { changeChats, findChat, refetchChatsAfterCurrent } from './list-queries.ts';
import { createReadMarker, type ReadMarkerDeps } from './read-marker.ts';
import { readReceiptVersion } from './read-receipt-version.ts';
import { filterUnread, withRead } from './thread.ts';
import { changeThread, getThread } from './thread-queries.ts';

const createMarker = (queries: QueryClient) => createReadMarker({ send: createSend(queries), schedule });
const markers = new WeakMap<QueryClient, ReturnType<typeof createMarker>>();

/** One marker per query client, so that seen messages are reported even after their screen is gone. */
function getReadMarker(queries: QueryClient) {
  const marker = markers.get(queries) ?? createMarker(queries);
  markers.set(queries, marker);
  return marker;
}

function schedule(delay_ms: number, run: () => void): () => void {
  const timer = setTimeout(run, delay_ms);
  return () => clearTimeout(timer);
}

function createSend(queries: QueryClient): ReadMarkerDeps['send'] {
  return async (user_id, chat_id, messageIds) => {
    const lastSeq = () => findChat(queries, user_id, chat_id)?.last_seq;
    const seq_before = lastSeq();
    const version_before = readReceiptVersion(queries, chat_id);
    const args = { params: { chat_id }, body: { messageIds } };
    // Marking a message twice is a no-op, so the request may arrive twice.
    const options = { expected_user_id: user_id, idempotency_key: crypto.randomUUID() };
    const { unreadCount } = await call(markMessagesRead, args, options);
    // The stream reports reads in order, including this one; the response may be older than its latest event.
    if (readReceiptVersion(queries, chat_id) !== version_before) return;
    // The response may not count a message that arrived in the meantime.
    if (lastSeq() === seq_before)
      changeChats(queries, user_id, (chats) => withUnread(chats, chat_id, () => unreadCount));
    else refetchChatsAfterCurrent(queries, user_id);
  };
}

/** Marks messages that were really seen as read. Repeated calls with the same ids are no-ops. */
export function markRead(
  queries: QueryClient,
  { user_id, chat_id }: { user_id: string; chat_id: string },
  ids: readonly string[],
): void {
  const thread = getThread(queries, user_id, chat_id);
  const unread = filterUnread(thread, ids, user_id);
  if (unread.length === 0) return;
  const read_at = new Date().toISOString();
  changeThread(queries, { user_id, chat_id }, (cached) => withRead(cached, unread, read_at), 'device');
  // Copies from the disk are not marked, so their messages would be subtracted each time they are seen.
  const loaded = new Set(thread.messages.map(({ id }) => id));
  const marked = unread.filter((id) => loaded.has(id)).length;
  if (marked > 0)
    changeChats(queries, user_id, (chats) => withUnread(chats, chat_id, (count) => count - marked), 'device');
  getReadMarker(queries).enqueue(user_id, chat_id, unread);
}

/** Marks messages that were really seen as read; see `markRead`. */
export function useMarkRead(chat_id: string): (ids: readonly string[]) => void {
  const { id: user_id } = useUser();
  const queries = useQueryClient();
  useEffect(() => {
    const retry = () => getReadMarker(queries).retry();
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [queries]);
  return (ids) => markRead(queries, { user_id, chat_id }, ids);
}
