import type { Message } from '@sendlap/contract/chats.ts';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { readMarker } from '#web/features/chats/data/mark-read.ts';
import { mergeMessages } from '#web/features/chats/data/thread.ts';
import { threads } from '#web/features/chats/data/thread-store.ts';
import { openCache } from '#web/shared/local-db/database.ts';
import { CHAT_ID } from './fake-chat.ts';
import { NORA } from './fake-server.ts';

export const CHAT_KEY = { user_id: NORA.id, chat_id: CHAT_ID };

/** Nora's messages on this device. */
export const readThread = (chat_id = CHAT_ID) => threads.read({ ...CHAT_KEY, chat_id });
export const readSeqs = async (chat_id = CHAT_ID) => (await readThread(chat_id)).messages.map(({ seq }) => seq);

/** Stores messages on this device as if the server had sent them. */
export async function keepMessages(messages: readonly Message[], user_id = NORA.id): Promise<void> {
  for (const chat_id of new Set(messages.map((message) => message.chat_id))) {
    const of_chat = messages.filter((message) => message.chat_id === chat_id);
    await threads.change({ user_id, chat_id }, (thread) => {
      const merged = mergeMessages(thread.messages, of_chat);
      return { ...thread, messages: merged, has_older: merged[0]?.seq !== 1 };
    });
  }
}

/** Clears the threads and seen messages in memory, as a reload does. */
export function forgetMemory(): void {
  threads.clear();
  readMarker.clear();
}

/** Removes all chats from this device. */
export async function clearChats(): Promise<void> {
  const database = await openCache();
  await Promise.all([database.clear('messages'), database.clear('threads'), database.clear('metadata')]);
  forgetMemory();
}

/** Observes a query, and the thread, as a screen that shows them does. Returns the function that stops it. */
export function showQuery(queries: QueryClient, options: { queryKey: readonly unknown[] }): () => void {
  const unsubscribe = threads.subscribe(CHAT_KEY, () => {});
  const unobserve = new QueryObserver(queries, { ...options, staleTime: Number.POSITIVE_INFINITY }).subscribe(() => {});
  return () => {
    unobserve();
    unsubscribe();
  };
}
