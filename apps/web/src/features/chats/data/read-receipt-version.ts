import type { QueryClient } from '@tanstack/react-query';

const counts = new WeakMap<QueryClient, Map<string, number>>();

/** Returns how often the stream has reported my reads in a chat. */
export function readReceiptVersion(queries: QueryClient, chat_id: string): number {
  return counts.get(queries)?.get(chat_id) ?? 0;
}

/** Counts an event of the stream about my reads in a chat, made on any device. */
export function bumpReadReceiptVersion(queries: QueryClient, chat_id: string): void {
  const by_chat = counts.get(queries) ?? new Map<string, number>();
  counts.set(queries, by_chat.set(chat_id, readReceiptVersion(queries, chat_id) + 1));
}
