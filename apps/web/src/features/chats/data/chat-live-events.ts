import type { Message } from '@sendlap/contract/chats.ts';
import type { QueryClient } from '@tanstack/react-query';
import { saveMessages, saveReadAt } from '#web/shared/copies/messages.ts';
import type { StreamEvent } from '#web/shared/live/live.ts';
import { withMessage, withMyRead } from './chat-list.ts';
import { changeChats, refetchChats } from './list-queries.ts';
import { chatsKey, threadsKey } from './query-keys.ts';
import { bumpReadReceiptVersion } from './read-receipt-version.ts';
import { addMessage, withRead } from './thread.ts';
import { changeThread, discardThread, fetchMissingMessages, isThreadStale } from './thread-queries.ts';

/** Applies a message that the server has stored: from the stream, or the reply to a sent one. Idempotent. */
function applyMessage(queries: QueryClient, user_id: string, message: Message): void {
  const { chat_id } = message;
  const thread = changeThread(queries, { user_id, chat_id }, (cached) => addMessage(cached, message));
  if (thread) fetchMissingMessages(queries, user_id, chat_id);
  changeChats(queries, user_id, (chats) => withMessage(chats, message, user_id));
  void saveMessages(user_id, [message]);
}

/**
 * Stores a message that this browser has sent, unless it is another user's: another tab may belong to the previous
 * user.
 */
export function applySentMessage(queries: QueryClient, user_id: string, message: Message): void {
  if (message.sender_id === user_id) applyMessage(queries, user_id, message);
}

type MessagesRead = Extract<StreamEvent, { type: 'messages_read' }>;

function applyReadMarks(queries: QueryClient, user_id: string, read: MessagesRead): void {
  const { chat_id, message_ids, read_at, reader_id } = read;
  changeThread(queries, { user_id, chat_id }, (thread) => withRead(thread, message_ids, read_at));
  void saveReadAt(user_id, chat_id, { message_ids, read_at });
  if (reader_id !== user_id) return;
  bumpReadReceiptVersion(queries, chat_id);
  changeChats(queries, user_id, (chats) => withMyRead(chats, read));
}

/** The server is reachable again: refetches failed queries and stale threads. */
function refetchFailed(queries: QueryClient, user_id: string): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: chatsKey(user_id) })) {
    const refetch = () => {
      const is_due = query.state.status === 'error' || isThreadStale(query);
      if (is_due) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
    };
    // A fetch in flight may predate the reconnect, but if every reconnect cancelled it, it might never finish.
    if (query.state.fetchStatus === 'fetching') query.promise?.then(refetch, refetch);
    else refetch();
  }
}

/** The stream missed events: refetches all queries on the screen; the others are refetched when they are opened. */
export function refetchAll(queries: QueryClient, user_id: string): void {
  refetchChats(queries, user_id);
  void queries.invalidateQueries({ queryKey: threadsKey(user_id) });
}

/** Applies live events to chats and messages. */
export function applyLiveEvent(queries: QueryClient, user_id: string, event: StreamEvent): void {
  if (event.type === 'message_created') applyMessage(queries, user_id, event.message);
  else if (event.type === 'messages_read') applyReadMarks(queries, user_id, event);
  else if (event.type === 'friend_changed') refetchChats(queries, user_id);
  else if (event.type === 'chat_changed') {
    refetchChats(queries, user_id);
    // Messages in it may have been removed.
    discardThread(queries, user_id, event.chat_id);
  }
  // A resumed stream replays the missed events; requests that failed in the meantime must be repeated.
  else if (event.type === 'opened' && event.resumed) refetchFailed(queries, user_id);
  else if (event.type === 'resync' || event.type === 'opened') refetchAll(queries, user_id);
}
