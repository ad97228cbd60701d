import { markMessagesRead } from '@sendlap/contract/chats.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#web/shared/api/client.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { withUnread } from './chat-list.ts';
import { changeChats, findChat, rereadChats } from './list-queries.ts';
import { createReadMarker, type ReadMarkerDeps } from './read-marker.ts';
import { noteRead, unreadAmong } from './thread.ts';
import { changeThread, getThread } from './thread-queries.ts';
import { countToldReadings } from './told-readings.ts';

const makeMarker = (queries: QueryClient) => createReadMarker({ send: sendTo(queries), after });
const markers = new WeakMap<QueryClient, ReturnType<typeof makeMarker>>();

/** What was seen is told even when its screen is gone by then. */
function readMarkerOf(queries: QueryClient) {
  const marker = markers.get(queries) ?? makeMarker(queries);
  markers.set(queries, marker);
  return marker;
}

function after(delay_ms: number, run: () => void): () => void {
  const timer = setTimeout(run, delay_ms);
  return () => clearTimeout(timer);
}

function sendTo(queries: QueryClient): ReadMarkerDeps['send'] {
  return async (user_id, chat_id, messageIds) => {
    const lastSeq = () => findChat(queries, user_id, chat_id)?.last_seq;
    const seq_before = lastSeq();
    const told_before = countToldReadings(queries, chat_id);
    const args = { params: { chat_id }, body: { messageIds } };
    // Marking again what is marked changes nothing, so it may arrive twice.
    const options = { only_as: user_id, idempotency_key: crypto.randomUUID() };
    const { unreadCount } = await call(markMessagesRead, args, options);
    // The stream tells in order what was read, this too; the answer may be of before what it told meanwhile.
    if (countToldReadings(queries, chat_id) !== told_before) return;
    // Of a message that came meanwhile the answer may not know.
    if (lastSeq() === seq_before)
      changeChats(queries, user_id, (chats) => withUnread(chats, chat_id, () => unreadCount));
    else rereadChats(queries, user_id);
  };
}

/** Says that these messages were really seen. Safe to call again and again with the same ids. */
export function markRead(
  queries: QueryClient,
  { user_id, chat_id }: { user_id: string; chat_id: string },
  ids: readonly string[],
): void {
  const thread = getThread(queries, user_id, chat_id);
  const unread = unreadAmong(thread, ids, user_id);
  if (unread.length === 0) return;
  const read_at = new Date().toISOString();
  changeThread(queries, { user_id, chat_id }, (known) => noteRead(known, unread, read_at), 'device');
  // A copy of before keeps no mark: what is seen of it would count each time that it is seen.
  const loaded = new Set(thread.messages.map(({ id }) => id));
  const marked = unread.filter((id) => loaded.has(id)).length;
  if (marked > 0)
    changeChats(queries, user_id, (chats) => withUnread(chats, chat_id, (count) => count - marked), 'device');
  readMarkerOf(queries).note(user_id, chat_id, unread);
}

/** Says that these messages were really seen; see `markRead`. */
export function useMarkRead(chat_id: string): (ids: readonly string[]) => void {
  const { id: user_id } = useUser();
  const queries = useQueryClient();
  useEffect(() => {
    const retry = () => readMarkerOf(queries).retry();
    addEventListener('online', retry);
    return () => removeEventListener('online', retry);
  }, [queries]);
  return (ids) => markRead(queries, { user_id, chat_id }, ids);
}
