import type { Message } from '@sendlap/contract/chats.ts';
import type { QueryClient } from '@tanstack/react-query';
import { saveMessages, saveReadAt } from '#web/shared/copies/messages.ts';
import type { LiveNews } from '#web/shared/live/live.ts';
import { withMessage, withMyRead } from './chat-list.ts';
import { changeChats, refetchChats } from './list-queries.ts';
import { chatsKey, threadsKey } from './query-keys.ts';
import { bumpReadReceiptVersion } from './read-receipt-version.ts';
import { addMessage, withRead } from './thread.ts';
import { changeThread, discardThread, fetchMissingMessages, isThreadStale } from './thread-queries.ts';

/** Stores a message that the server has, from the stream or as the response to my own. Storing it twice is a no-op. */
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

type MessagesRead = Extract<LiveNews, { type: 'messages_read' }>;

function applyReadMarks(queries: QueryClient, user_id: string, read: MessagesRead): void {
  const { chat_id, message_ids, read_at, reader_id } = read;
  changeThread(queries, { user_id, chat_id }, (thread) => withRead(thread, message_ids, read_at));
  void saveReadAt(user_id, chat_id, { message_ids, read_at });
  if (reader_id !== user_id) return;
  bumpReadReceiptVersion(queries, chat_id);
  changeChats(queries, user_id, (chats) => withMyRead(chats, read));
}

/** The server is reachable again: refetches the failed queries. */
function refetchFailed(queries: QueryClient, user_id: string): void {
  for (const query of queries.getQueryCache().findAll({ queryKey: chatsKey(user_id) })) {
    const refetch = () => {
      const is_due = query.state.status === 'error' || isThreadStale(query);
      if (is_due) void queries.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
    };
    // A fetch in flight may have begun before that, but if it were cancelled at every reconnect it would never finish.
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
export function applyLiveEvent(queries: QueryClient, user_id: string, news: LiveNews): void {
  if (news.type === 'message_created') applyMessage(queries, user_id, news.message);
  else if (news.type === 'messages_read') applyReadMarks(queries, user_id, news);
  else if (news.type === 'friend_changed') refetchChats(queries, user_id);
  else if (news.type === 'chat_changed') {
    refetchChats(queries, user_id);
    // Messages in it may have been removed.
    discardThread(queries, user_id, news.chat_id);
  }
  // A resumed stream replays all events that it missed, but not the requests of screens that failed in between.
  else if (news.type === 'opened' && news.resumed) refetchFailed(queries, user_id);
  else if (news.type === 'resync' || news.type === 'opened') refetchAll(queries, user_id);
}
