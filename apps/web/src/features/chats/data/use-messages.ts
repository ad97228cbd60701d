import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOutdatedAt } from '#web/shared/copies/use-shown.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useOutbox } from '#web/shared/outbox/use-outbox.ts';
import { readMarker } from './mark-read.ts';
import { type MessageLine, messageLines } from './message-lines.ts';
import { fetchOlder, getSyncQuery } from './sync-thread.ts';
import { NO_MESSAGES, type Thread } from './thread.ts';
import { threads } from './thread-store.ts';
import { useChatLiveUpdates } from './use-chat-live-updates.ts';

export interface MessagesState {
  /** Oldest first; my queued messages are at the end, refused ones where they were written. */
  lines: MessageLine[];
  state: 'loading' | 'ready' | 'error';
  /** True once the sync has succeeded or failed, or the device is offline. */
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

/** The messages of a chat, kept up to date; at first and offline those that this device has stored. */
export function useMessages(chat_id: string): MessagesState {
  const user = useUser();
  const online = useOnline();
  const outbox = useOutbox();
  useChatLiveUpdates(user.id);
  const sync = useQuery(getSyncQuery(user.id, chat_id));
  const stored = useThread(user.id, chat_id);
  const thread = stored ?? NO_MESSAGES;
  // Without messages from an earlier sync, nothing is shown until this one has ended.
  const [was_stored, setWasStored] = useState<boolean | null>(null);
  if (stored !== null && was_stored === null) setWasStored(stored.messages.length > 0);
  const { refetch } = sync;
  // Another tab has emptied the thread.
  const is_emptied = stored?.was_synced === false && sync.isSuccess && !sync.isFetching;
  useEffect(() => {
    if (is_emptied) void refetch();
  }, [is_emptied, refetch]);
  const seen = useSeen(user.id, chat_id);
  const older = useMutation({ mutationFn: () => fetchOlder({ user_id: user.id, chat_id }) });

  const has_synced = sync.data !== undefined && thread.was_synced;
  // If the server itself refuses, stored messages are not shown.
  const is_refused = sync.isError && !isUnreachable(sync.error) && !has_synced;
  const stored_messages = is_refused ? [] : thread.messages;
  const last_seq = stored === null ? Number.POSITIVE_INFINITY : (stored_messages.at(-1)?.seq ?? 0);
  // Sent while the app was closed; the thread takes it once it has all messages before it.
  const accepted = outbox.accepted.filter((message) => message.chat_id === chat_id && message.seq > last_seq);
  const messages = [...stored_messages, ...accepted];
  const queued = outbox.messages.filter((message) => message.chat_id === chat_id);
  // Its line stays when it is sent.
  const has_own = queued.length + accepted.length > 0;
  if (has_own && was_stored === false) setWasStored(true);
  // A chat that is gone because of a block shows no messages; after other errors the loaded messages stay.
  const is_removed = sync.error instanceof ApiError && sync.error.status === 404;
  const has_content = !is_removed && (has_synced || (was_stored === true && messages.length > 0) || has_own);
  const cached_at = useOutdatedAt(sync, thread.updated_at);
  return {
    lines: messageLines(messages, queued, { my_id: user.id, my_name: user.name, online, seen }),
    state: has_content ? 'ready' : sync.isError ? 'error' : 'loading',
    hasLoaded: has_synced || sync.isError || !online,
    error: has_content ? null : sync.error,
    hasOlder: has_synced && thread.has_older,
    olderFailed: older.isError,
    async loadOlder() {
      if (older.isPending || !online) return;
      await older.mutateAsync().catch(() => {});
    },
    isLoadingOlder: older.isPending,
    cached_at,
    refetch() {
      older.reset();
      void sync.refetch();
    },
  };
}

/** The stored thread of a chat; null until it is read. */
function useThread(user_id: string, chat_id: string): Thread | null {
  const subscribe = useCallback(
    (listener: () => void) => threads.subscribe({ user_id, chat_id }, listener),
    [user_id, chat_id],
  );
  return useSyncExternalStore(subscribe, () => threads.getSnapshot({ user_id, chat_id }));
}

/** Ids of the messages that I have seen in this tab. */
function useSeen(user_id: string, chat_id: string): ReadonlySet<string> {
  return useSyncExternalStore(readMarker.subscribe, () => readMarker.seenIn({ user_id, chat_id }));
}
