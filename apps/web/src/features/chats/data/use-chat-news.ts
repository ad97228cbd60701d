import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { live } from '#web/shared/live/client.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import { refetchAll, takeNews, takeSent } from './chat-news.ts';
import { followRefusals } from './refused-news.ts';

let followers = 0;
let stop = () => {};

/** Screens share one subscription to the stream, so that each event is applied once. */
function follow(queries: QueryClient, user_id: string): () => void {
  followers += 1;
  if (followers === 1) {
    const unsubscribe = live.subscribe((news) => takeNews(queries, user_id, news));
    const forget = outbox.onMessageSent((message) => takeSent(queries, user_id, message));
    const stopRefusals = followRefusals(outbox, () => refetchAll(queries, user_id));
    stop = () => {
      unsubscribe();
      forget();
      stopRefusals();
    };
  }
  return () => {
    followers -= 1;
    if (followers === 0) stop();
  };
}

/** Keeps the cached chats up to date while the component is mounted. */
export function useChatNews(user_id: string): void {
  const queries = useQueryClient();
  useEffect(() => follow(queries, user_id), [queries, user_id]);
}
