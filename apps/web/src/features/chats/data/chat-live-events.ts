import type { Message } from '@sendlap/contract/chats.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { StreamEvent } from '#web/shared/live/live.ts';
import { withMessage, withMyRead } from './chat-list.ts';
import { changeChats, refetchChats } from './list-queries.ts';
import { chatsKey, threadsKey } from './query-keys.ts';
import { refetchAfterCurrent } from './refetch-after-current.ts';
import { resyncThread, storeMessage } from './sync-thread.ts';
import { applyReadReceipt } from './thread.ts';
import { threads } from './thread-store.ts';

/** Applies a message that the server has stored: from the stream, or the reply to a sent one. Idempotent. */
function applyMessage(queries: QueryClient, user_id: string, message: Message, is_kept = false): Promise<void> {
  changeChats(queries, user_id, (chats) => withMessage(chats, message, user_id));
  return storeMessage(queries, user_id, message, is_kept);
}

/**
 * Stores a message that this browser has sent, unless it is another user's: another tab may belong to the previous
 * user. Rejects if it is not shown yet: the outbox then keeps it. `is_kept`: see `SentListener`.
 */
export async function applySentMessage(
  queries: QueryClient,
  user_id: string,
  message: Message,
  is_kept = false,
): Promise<void> {
  if (message.sender_id === user_id) await applyMessage(queries, user_id, message, is_kept);
}

type MessagesRead = Extract<StreamEvent, { type: 'messages_read' }>;

function applyReadMarks(queries: QueryClient, user_id: string, read: MessagesRead): void {
  const { chat_id, message_ids, read_at, reader_id } = read;
  void threads.change({ user_id, chat_id }, (thread) => applyReadReceipt(thread, message_ids, read_at));
  if (reader_id === user_id) changeChats(queries, user_id, (chats) => withMyRead(chats, read));
}

/** The server is reachable again: refetches failed queries. */
function refetchFailed(queries: QueryClient, user_id: string): void {
  for (const { queryKey } of queries.getQueryCache().findAll({ queryKey: chatsKey(user_id) }))
    refetchAfterCurrent(queries, queryKey, ({ status }) => status === 'error');
}

/**
 * The stream missed events: refetches all queries on the screen; the others are refetched when they are opened. The
 * response to a fetch in flight may be older than the missed events.
 */
export async function refetchAll(queries: QueryClient, user_id: string): Promise<void> {
  refetchChats(queries, user_id);
  const queryKey = threadsKey(user_id);
  await queries.cancelQueries({ queryKey }, { silent: true });
  await queries.invalidateQueries({ queryKey });
}

/** Applies live events to chats and messages. */
export function applyLiveEvent(queries: QueryClient, user_id: string, event: StreamEvent): void {
  if (event.type === 'message_created') applyMessage(queries, user_id, event.message).catch(() => {});
  else if (event.type === 'messages_read') applyReadMarks(queries, user_id, event);
  else if (event.type === 'friend_changed') refetchChats(queries, user_id);
  else if (event.type === 'chat_changed') {
    refetchChats(queries, user_id);
    void resyncThread(queries, { user_id, chat_id: event.chat_id });
  }
  // A resumed stream replays the missed events; requests that failed in the meantime must be repeated.
  else if (event.type === 'opened' && event.resumed) refetchFailed(queries, user_id);
  else if (event.type === 'resync' || event.type === 'opened') void refetchAll(queries, user_id);
}
