import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { type MessageLine, messageLines } from './message-lines.ts';
import { mergeMessages, NO_MESSAGES } from './thread.ts';
import { getThreadCopyQuery, getThreadQuery, readOlder } from './thread-queries.ts';
import { useChatNews } from './use-chat-news.ts';

export interface KnownMessages {
  /** Oldest first; my queued messages are at the end, refused ones where they were written. */
  lines: MessageLine[];
  state: 'loading' | 'ready' | 'error';
  /** False while the newest page is being fetched and only a copy is shown. */
  isSettled: boolean;
  /** Why no messages can be shown; null if they can. */
  error: unknown;
  hasOlder: boolean;
  /** The last page of older messages failed; `loadOlder` retries it. */
  olderFailed: boolean;
  /** Never rejects: a failure changes nothing but `olderFailed`. */
  loadOlder: () => Promise<void>;
  isLoadingOlder: boolean;
  /** ms epoch of the shown data if it may be stale; null: it is not. */
  kept_at: number | null;
  refetch: () => void;
}

/** The messages of a chat, kept up to date; at first and offline from this device's copies. */
export function useMessages(chat_id: string): KnownMessages {
  const user = useUser();
  const online = useOnline();
  const queries = useQueryClient();
  const outbox = useOutbox();
  useChatNews(user.id);
  const query = useQuery(getThreadQuery(user.id, chat_id));
  const copy = useQuery(getThreadCopyQuery(user.id, chat_id));
  const older = useMutation({ mutationFn: () => readOlder(queries, user.id, chat_id) });

  const thread = query.data ?? NO_MESSAGES;
  // If the server itself refuses, this device's copies are not shown.
  const is_refused = query.isError && !isUnreachable(query.error);
  const copied = (!is_refused && copy.data?.messages) || [];
  const messages = thread.is_loaded ? thread.messages : mergeMessages(copied, thread.messages);
  const waiting = outbox.messages.filter((message) => message.chat_id === chat_id);
  // A chat that is gone because of a block shows no messages; after other errors the loaded messages stay.
  const is_gone = query.error instanceof ApiError && query.error.status === 404;
  const is_known = !is_gone && (thread.is_loaded || copied.length + waiting.length > 0);
  const is_old = !online || (query.isError && isUnreachable(query.error));
  return {
    lines: messageLines(messages, waiting, { my_id: user.id, my_name: user.name, online }),
    state: is_known ? 'ready' : query.isError ? 'error' : 'loading',
    isSettled: thread.is_loaded || query.isError || !online,
    error: is_known ? null : query.error,
    hasOlder: thread.is_loaded && thread.has_older,
    olderFailed: older.isError,
    async loadOlder() {
      if (older.isPending || !online) return;
      await older.mutateAsync().catch(() => {});
    },
    isLoadingOlder: older.isPending,
    kept_at: is_old ? (thread.is_loaded ? query.dataUpdatedAt : (copy.data?.cached_at ?? null)) : null,
    refetch() {
      older.reset();
      void query.refetch();
    },
  };
}
