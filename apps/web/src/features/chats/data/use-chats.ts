import type { Chat } from '@sendlap/contract/chats.ts';
import { useQuery } from '@tanstack/react-query';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOutdatedAt } from '#web/shared/copies/use-shown.ts';
import { useLiveReady } from '#web/shared/live/use-live-ready.ts';
import { listChatCopiesQuery, listChatsQuery } from './list-queries.ts';
import { useChatLiveUpdates } from './use-chat-live-updates.ts';

export interface ChatsState {
  /** Latest message first; undefined: not loaded yet, or failed (`error`). */
  chats: Chat[] | undefined;
  /** Why the last fetch failed; null: it succeeded or is in flight. */
  error: unknown;
  /** ms epoch of the shown data if it may be stale; null: it is not. */
  cached_at: number | null;
  refetch: () => void;
}

/** My chats, kept up to date; at first and offline from this device's copy. */
export function useChats(): ChatsState {
  const user = useUser();
  useChatLiveUpdates(user.id);
  const query = useQuery({ ...listChatsQuery(user.id), enabled: useLiveReady() });
  const copies = useQuery(listChatCopiesQuery(user.id));
  const cached_at = useOutdatedAt(query, query.data ? query.dataUpdatedAt : (copies.data?.cached_at ?? null));
  // If the server itself refuses, this device's copy is not shown.
  const is_refused = query.isError && !isUnreachable(query.error);
  const chats = query.data ?? (is_refused ? undefined : copies.data?.chats);
  return {
    chats,
    error: query.error,
    cached_at,
    refetch: () => void query.refetch(),
  };
}
