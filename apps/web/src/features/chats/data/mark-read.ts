import { markMessagesRead } from '@sendlap/contract/chats.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { withUnread } from './chat-list.ts';
import { changeChats, findChat } from './list-queries.ts';
import { listKey } from './query-keys.ts';
import { createReadMarker } from './read-marker.ts';
import { refetchAfterCurrent } from './refetch-after-current.ts';
import { type ChatKey, threads } from './thread-store.ts';

/** One for the tab: seen messages are reported even after their screen is gone. */
export const readMarker = createReadMarker({
  async send({ user_id, chat_id }, messageIds) {
    // Marking a message twice is a no-op, so the request may arrive twice.
    const options = { expected_user_id: user_id, idempotency_key: crypto.randomUUID() };
    const { unreadCount } = await call(markMessagesRead, { params: { chat_id }, body: { messageIds } }, options);
    return unreadCount;
  },
  schedule(delay_ms, run) {
    const timer = setTimeout(run, delay_ms);
    return () => clearTimeout(timer);
  },
});

/** Reports messages that were in view to the server as read. Repeated calls with the same ids are no-ops. */
export function markRead(queries: QueryClient, chat: ChatKey, ids: readonly string[]): void {
  const { user_id, chat_id } = chat;
  const seen = readMarker.seenIn(chat);
  const unread = (threads.getSnapshot(chat)?.messages ?? [])
    .filter(({ id, sender_id, read_at }) => sender_id !== user_id && read_at === null && !seen.has(id))
    .map(({ id }) => id)
    .filter((id) => ids.includes(id));
  if (unread.length === 0) return;
  readMarker.enqueue(chat, unread, (unread_count) => {
    // The stream usually brings this count first. Another count may be older or newer than the list's.
    const is_same = findChat(queries, user_id, chat_id)?.unreadCount === unread_count;
    if (!is_same) refetchAfterCurrent(queries, listKey(user_id));
  });
  const withoutSeen = (count: number) => count - unread.length;
  changeChats(queries, user_id, (chats) => withUnread(chats, chat_id, withoutSeen), 'device');
}

/** See `markRead`. */
export function useMarkRead(chat_id: string): (ids: readonly string[]) => void {
  const { id: user_id } = useUser();
  const queries = useQueryClient();
  useEffect(() => {
    addEventListener('online', readMarker.retry);
    return () => removeEventListener('online', readMarker.retry);
  }, []);
  return (ids) => markRead(queries, { user_id, chat_id }, ids);
}
