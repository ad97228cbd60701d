import { type Chat, createChat, listChats } from '@sendlap/contract/chats.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { completeChatReply, completeChatsReply } from '#web/shared/api/chat-reply.ts';
import { call } from '#web/shared/api/client.ts';
import { mergeChats } from './chat-list.ts';
import { isWithErasedUser } from './erased-user.ts';
import { type ChatsCopy, loadChats, saveChats } from './list-copy.ts';
import { type ChangeSource, listCopyKey, listKey, STALE_MS, threadsKey } from './query-keys.ts';
import { refetchAfterCurrent } from './refetch-after-current.ts';
import { eraseOther, resetThread } from './thread.ts';
import { threads } from './thread-store.ts';

/** My chats, latest message first. */
export function listChatsQuery(user_id: string) {
  return queryOptions({
    queryKey: listKey(user_id),
    async queryFn({ client, signal }): Promise<Chat[]> {
      const getCached = () => client.getQueryData<Chat[]>(listKey(user_id)) ?? [];
      const cached_before = getCached();
      const stored_before = threads.listChatIds(user_id);
      const fetched = await call(
        listChats,
        {},
        { signal, expected_user_id: user_id, normalizeReply: completeChatsReply(user_id) },
      );
      // Aborted by a newer fetch: its response may be newer than this one.
      signal.throwIfAborted();
      const chat_ids = await stored_before;
      const chats = mergeChats({ cached_before, cached_now: getCached(), fetched });
      const copy = { chats, cached_at: Date.now() };
      void saveChats(user_id, copy, applyToThreads(client, { user_id, chats, chat_ids }));
      // Replaces a copy that is already in the cache.
      client.setQueryData<ChatsCopy | null>(listCopyKey(user_id), (cached) => cached && copy);
      return chats;
    },
    staleTime: STALE_MS,
  });
}

/**
 * Removes the texts of erased users, and the messages of chats that are not in my list because of a block; `chat_ids`:
 * those stored when the list was requested.
 */
async function applyToThreads(
  queries: QueryClient,
  { user_id, chats, chat_ids }: { user_id: string; chats: readonly Chat[]; chat_ids: readonly string[] },
): Promise<void> {
  const listed_ids = new Set<unknown>(chats.map(({ id }) => id));
  const unlisted = {
    queryKey: threadsKey(user_id),
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => !listed_ids.has(queryKey.at(-1)),
  };
  queries.removeQueries({ ...unlisted, type: 'inactive' });
  // For a chat on the screen, the server decides whether it is gone: it may be newer than the list.
  void queries.invalidateQueries({ ...unlisted, type: 'active' });
  const erasures = chats
    .filter(isWithErasedUser)
    .map(({ id: chat_id }) => threads.change({ user_id, chat_id }, (thread) => eraseOther(thread, user_id)));
  const removals = chat_ids
    .filter((chat_id) => !listed_ids.has(chat_id))
    .map((chat_id) => threads.change({ user_id, chat_id }, resetThread));
  await Promise.all([...erasures, ...removals]);
}

/** This device's copy of my chats: available at once and offline. */
export function listChatCopiesQuery(user_id: string) {
  return queryOptions({
    queryKey: listCopyKey(user_id),
    queryFn: () => loadChats(user_id),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Changes the cached list; if there is no list, or `change` returns null, it is refetched. */
export function changeChats(
  queries: QueryClient,
  user_id: string,
  change: (chats: Chat[]) => Chat[] | null,
  source: ChangeSource = 'server',
): void {
  const cached = queries.getQueryState<Chat[]>(listKey(user_id));
  const changed = cached?.data ? change(cached.data) : null;
  if (cached && changed) {
    const updatedAt = source === 'server' ? Date.now() : cached.dataUpdatedAt;
    queries.setQueryData<Chat[]>(listKey(user_id), changed, { updatedAt });
    void saveChats(user_id, { chats: changed, cached_at: updatedAt });
  }
  // A response in flight may be older than the change, and a failed list must still be fetched.
  const is_fetching = queries.isFetching({ queryKey: listKey(user_id) }) > 0;
  if (!changed || cached?.status === 'error' || is_fetching) refetchAfterCurrent(queries, listKey(user_id));
}

/** Refetches the list at once. */
export function refetchChats(queries: QueryClient, user_id: string): void {
  void queries.invalidateQueries({ queryKey: listKey(user_id) });
}

/** Returns the chat with a friend and creates it if necessary. Throws ApiError. */
export async function getOrCreateChat(queries: QueryClient, user_id: string, receiver_id: string): Promise<Chat> {
  const normalizeReply = completeChatReply(user_id);
  const chat = await call(createChat, { body: { receiver_id } }, { expected_user_id: user_id, normalizeReply });
  changeChats(queries, user_id, (chats) => (chats.some(({ id }) => id === chat.id) ? chats : [chat, ...chats]));
  return chat;
}

export function findChat(queries: QueryClient, user_id: string, chat_id: string): Chat | undefined {
  return queries.getQueryData<Chat[]>(listKey(user_id))?.find(({ id }) => id === chat_id);
}
