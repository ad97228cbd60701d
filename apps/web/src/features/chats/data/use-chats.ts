import type { Chat } from '@sendlap/contract/chats.ts';
import { useQuery } from '@tanstack/react-query';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { useUser } from '#web/shared/api/use-session.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useMayRead } from '#web/shared/live/use-may-read.ts';
import { listChatCopiesQuery, listChatsQuery } from './list-queries.ts';
import { useChatNews } from './use-chat-news.ts';

export interface KnownChats {
  /** Latest message first; undefined: not known yet, or not at all (`error`). */
  chats: Chat[] | undefined;
  /** Why they could not be read anew; null: they could, or will be. */
  error: unknown;
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
    kept_at: isOffline ? (query.data ? query.dataUpdatedAt : (copies.data?.cached_at ?? null)) : null,
    refetch: () => void query.refetch(),
  };
}
