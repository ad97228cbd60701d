import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { type MessageLine, messageLines } from './message-lines.ts';
import { mergeMessages, NO_MESSAGES } from './thread.ts';
import { fetchOlder, getThreadCopyQuery, getThreadQuery } from './thread-queries.ts';
import { useChatLiveUpdates } from './use-chat-live-updates.ts';

export interface MessagesState {
  /** Oldest first; my queued messages are at the end, refused ones where they were written. */
  lines: MessageLine[];
  state: 'loading' | 'ready' | 'error';
  /** False while the newest page is being fetched and only a copy is shown. */
  hasLoaded: boolean;
  /** Why no messages can be shown; null if they can. */
  error: unknown;
  hasOlder: boolean;
  /** The last page of older messages failed; `loadOlder` retries it. */
  olderFailed: boolean;
  /** Never rejects: a failure changes nothing but `olderFailed`. */
  loadOlder: () => Promise<void>;
  isLoadingOlder: boolean;
  /** ms epoch of the shown data if it may be stale; null: it is not. */
  cached_at: number | null;
  refetch: () => void;
}

/** The messages of a chat, kept up to date; at first and offline from this device's copies. */
export function useMessages(chat_id: string): MessagesState {
  const user = useUser();
  const online = useOnline();
  const queries = useQueryClient();
  const outbox = useOutbox();
  useChatLiveUpdates(user.id);
  const query = useQuery(getThreadQuery(user.id, chat_id));
  const copy = useQuery(getThreadCopyQuery(user.id, chat_id));
  const older = useMutation({ mutationFn: () => fetchOlder(queries, user.id, chat_id) });

  const thread = query.data ?? NO_MESSAGES;
  // If the server itself refuses, this device's copies are not shown.
  const is_refused = query.isError && !isUnreachable(query.error);
  const copied_messages = (!is_refused && copy.data?.messages) || [];
  const messages = thread.is_loaded ? thread.messages : mergeMessages(copied_messages, thread.messages);
  const queued = outbox.messages.filter((message) => message.chat_id === chat_id);
  // A chat that is gone because of a block shows no messages; after other errors the loaded messages stay.
  const is_removed = query.error instanceof ApiError && query.error.status === 404;
  const has_content = !is_removed && (thread.is_loaded || copied_messages.length + queued.length > 0);
  const is_stale = !online || (query.isError && isUnreachable(query.error));
  return {
    lines: messageLines(messages, queued, { my_id: user.id, my_name: user.name, online }),
    state: has_content ? 'ready' : query.isError ? 'error' : 'loading',
    hasLoaded: thread.is_loaded || query.isError || !online,
    error: has_content ? null : query.error,
    hasOlder: thread.is_loaded && thread.has_older,
    olderFailed: older.isError,
    async loadOlder() {
      if (older.isPending || !online) return;
      await older.mutateAsync().catch(() => {});
    },
    isLoadingOlder: older.isPending,
    cached_at: is_stale ? (thread.is_loaded ? query.dataUpdatedAt : (copy.data?.cached_at ?? null)) : null,
    refetch() {
      older.reset();
      void query.refetch();
    },
  };
}
