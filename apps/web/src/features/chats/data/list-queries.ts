import { type Chat, createChat, listChats } from '@sendlap/contract/chats.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { completeChatReply, completeChatsReply } from '#web/shared/api/chat-reply.ts';
import { call } from '#web/shared/api/client.ts';
import { forgetOtherMessages } from '#web/shared/copies/messages.ts';
import { mergeChats } from './chat-list.ts';
import { type ChatsCopy, keepChats, loadChats } from './list-copy.ts';
import { listCopyKey, listKey, type Source, STALE_MS, threadsKey } from './query-keys.ts';
import { forgetErasedWords } from './thread-queries.ts';

/** My chats, latest message first. */
export function listChatsQuery(user_id: string) {
  return queryOptions({
    queryKey: listKey(user_id),
    async queryFn({ client, signal }): Promise<Chat[]> {
      const known = () => client.getQueryData<Chat[]>(listKey(user_id)) ?? [];
      const before = known();
      const said = await call(listChats, {}, { signal, only_as: user_id, prepare: completeChatsReply(user_id) });
      // Given up for a newer reading: this one may be of before what that one says.
      signal.throwIfAborted();
      const chats = mergeChats({ before, known: known(), said });
      const copy = { chats, cached_at: Date.now() };
      void keepChats(user_id, copy);
      // Where one of before was read it goes too.
      client.setQueryData<ChatsCopy | null>(listCopyKey(user_id), (read) => read && copy);
      forgetOthers(client, user_id, chats);
      forgetErasedWords(client, user_id, chats);
      const query = client.getQueryCache().find({ queryKey: listKey(user_id), exact: true });
      if (query && overtaken.delete(query)) setTimeout(() => refetchChats(client, user_id));
      return chats;
    },
    staleTime: STALE_MS,
  });
}

/** What was read of a chat that is not in my list any more, behind a block, is not shown again. */
function forgetOthers(queries: QueryClient, user_id: string, chats: Chat[]): void {
  const chat_ids = chats.map(({ id }) => id);
  const stay = new Set<unknown>(chat_ids);
  const others = {
    queryKey: threadsKey(user_id),
    predicate: ({ queryKey }: { queryKey: readonly unknown[] }) => !stay.has(queryKey.at(-1)),
  };
  queries.removeQueries({ ...others, type: 'inactive' });
  // Of one on the screen the server says itself whether it is gone: it may be newer than the list.
  void queries.invalidateQueries({ ...others, type: 'active' });
  void forgetOtherMessages(user_id, chat_ids);
}

/** What this device remembers of them: at once, and without a network. */
export function listChatCopiesQuery(user_id: string) {
  return queryOptions({
    queryKey: listCopyKey(user_id),
    queryFn: () => loadChats(user_id),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Changes the list where it is known; null from `change`: it has to be read again. */
export function changeChats(
  queries: QueryClient,
  user_id: string,
  change: (chats: Chat[]) => Chat[] | null,
  source: Source = 'server',
): void {
  const known = queries.getQueryState<Chat[]>(listKey(user_id));
  const changed = known?.data ? change(known.data) : null;
  if (known && changed) {
    const updatedAt = source === 'server' ? Date.now() : known.dataUpdatedAt;
    queries.setQueryData<Chat[]>(listKey(user_id), changed, { updatedAt });
    void keepChats(user_id, { chats: changed, cached_at: updatedAt });
  }
  // What is on its way may have been put together before the change, and what could not be read still has to be.
  const is_coming = queries.isFetching({ queryKey: listKey(user_id) }) > 0;
  if (!changed || known?.status === 'error' || is_coming) rereadChats(queries, user_id);
}

/** Lists of which something was told while they were read. */
const overtaken = new WeakSet<object>();

/** Reads the list again once it is read: messages that come faster than it would otherwise let it never arrive. */
export function rereadChats(queries: QueryClient, user_id: string): void {
  const query = queries.getQueryCache().find({ queryKey: listKey(user_id), exact: true });
  if (query?.state.fetchStatus === 'fetching') overtaken.add(query);
  else refetchChats(queries, user_id);
}

/** Reads the list again at once. */
export function refetchChats(queries: QueryClient, user_id: string): void {
  void queries.invalidateQueries({ queryKey: listKey(user_id) });
}

/** The chat with a friend, made where there is none yet. Throws ApiError. */
export async function openChat(queries: QueryClient, user_id: string, receiver_id: string): Promise<Chat> {
  const prepare = completeChatReply(user_id);
  const chat = await call(createChat, { body: { receiver_id } }, { only_as: user_id, prepare });
  changeChats(queries, user_id, (chats) => (chats.some(({ id }) => id === chat.id) ? chats : [chat, ...chats]));
  return chat;
}

export function findChat(queries: QueryClient, user_id: string, chat_id: string): Chat | undefined {
  return queries.getQueryData<Chat[]>(listKey(user_id))?.find(({ id }) => id === chat_id);
}
