import type { Message } from '@sendlap/contract/chats.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { session } from '#web/shared/api/client.ts';
import { live } from '#web/shared/live/client.ts';
import { outbox } from '#web/shared/outbox/client.ts';
import type { QueuedMessage } from '#web/shared/outbox/store/queued-message.ts';
import { applyLiveEvent, applySentMessage, refetchAll } from './chat-live-events.ts';
import { readMarker } from './mark-read.ts';
import { threads } from './thread-store.ts';
import { watchClosedChats } from './watch-closed-chats.ts';

session.onSignedOut(() => {
  threads.clear();
  readMarker.clear();
});

async function findStored({ user_id, chat_id, client_id }: QueuedMessage): Promise<Message | undefined> {
  const { messages } = await threads.read({ user_id, chat_id });
  return messages.find(({ id }) => id === client_id);
}

let subscriber_count = 0;
let unsubscribeAll = () => {};

/** Screens share one subscription to the stream, so that each event is applied once. */
function subscribe(queries: QueryClient, user_id: string): () => void {
  subscriber_count += 1;
  if (subscriber_count === 1) {
    const unsubscribeLive = live.subscribe((event) => applyLiveEvent(queries, user_id, event));
    const unsubscribeSent = outbox.onMessageSent((message, is_kept) =>
      applySentMessage(queries, user_id, message, is_kept),
    );
    outbox.confirmStored(user_id, findStored).catch(() => {});
    const unsubscribeRefusals = watchClosedChats(outbox, () => void refetchAll(queries, user_id));
    unsubscribeAll = () => {
      unsubscribeLive();
      unsubscribeSent();
      unsubscribeRefusals();
    };
  }
  return () => {
    subscriber_count -= 1;
    if (subscriber_count === 0) unsubscribeAll();
  };
}

/** Keeps the cached chats up to date while the component is mounted. */
export function useChatLiveUpdates(user_id: string): void {
  const queries = useQueryClient();
  useEffect(() => subscribe(queries, user_id), [queries, user_id]);
}
