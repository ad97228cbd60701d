import type { Chat } from '@sendlap/contract/chats.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useMayRead } from '#web/shared/live/use-may-read.ts';
import { unreadTotal } from './chat-list.ts';
import { listChatCopiesQuery, listChatsQuery, openChat } from './list-queries.ts';
import { useChatNews } from './use-chat-news.ts';

export interface KnownChats {
  /** Latest message first; undefined: not known yet, or not at all (`error`). */
  chats: Chat[] | undefined;
  /** Why they could not be read anew; null: they could, or will be. */
  error: unknown;
  isOffline: boolean;
  /** ms epoch of what is shown, where it may be out of date; null: it is not. */
  kept_at: number | null;
  refetch: () => void;
}

/** My chats, kept up to date; at first and without a network as this device remembers them. */
export function useChats(): KnownChats {
  const user = useUser();
  const online = useOnline();
  useChatNews(user.id);
  const query = useQuery({ ...listChatsQuery(user.id), enabled: useMayRead() });
  const copies = useQuery(listChatCopiesQuery(user.id));
  const isOffline = !online || (query.isError && isUnreachable(query.error));
  // What the server itself refuses is not answered from this device.
  const is_refused = query.isError && !isUnreachable(query.error);
  const chats = query.data ?? (is_refused ? undefined : copies.data?.chats);
  return {
    chats,
    error: query.error,
    isOffline,
    kept_at: keptAt({ isOffline, copied_at: copies.data?.cached_at ?? null, query }),
    refetch: () => void query.refetch(),
  };
}

interface Age {
  isOffline: boolean;
  copied_at: number | null;
  query: { data: unknown; dataUpdatedAt: number };
}

function keptAt({ isOffline, copied_at, query }: Age): number | null {
  if (!isOffline) return null;
  return query.data === undefined ? copied_at : query.dataUpdatedAt;
}

/** Unread messages of all chats together. */
export function useUnreadTotal(): number {
  return unreadTotal(useChats().chats ?? []);
}

/** `start` gives the chat with a friend (a user's id), made where there is none; it rejects with what `error` holds. */
export function useStartChat(): { start: (friend_id: string) => Promise<Chat>; busy: boolean; error: unknown } {
  const user = useUser();
  const queries = useQueryClient();
  const { mutateAsync, isPending, error } = useMutation({
    mutationFn: (friend_id: string) => openChat(queries, user.id, friend_id),
  });
  return { start: (friend_id) => mutateAsync(friend_id), busy: isPending, error };
}
