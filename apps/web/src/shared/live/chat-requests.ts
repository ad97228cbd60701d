import { createListeners } from '#web/shared/lib/store.ts';

/** Requests to the chat panel. A request made before the panel is mounted waits for it; only the latest is kept. */
function createPendingRequest() {
  const listeners = createListeners<[id: string]>();
  let pending_id: string | null = null;
  return {
    send(id: string): void {
      if (listeners.isEmpty()) pending_id = id;
      else listeners.notify(id);
    },
    /** Subscribes to requests, including a pending one at once. Returns the function that unsubscribes. */
    onRequest(listener: (id: string) => void): () => void {
      const unsubscribe = listeners.subscribe(listener);
      if (pending_id !== null) listener(pending_id);
      pending_id = null;
      return unsubscribe;
    },
    clear(): void {
      pending_id = null;
    },
  };
}

const openRequest = createPendingRequest();
const startRequest = createPendingRequest();

/** Requests that the panel opens a chat, by its id. */
export const requestOpenChat = openRequest.send;
export const onOpenChatRequest = openRequest.onRequest;

/** Requests that the panel starts the chat with a friend, by the id of that user. */
export const requestStartChat = startRequest.send;
export const onStartChatRequest = startRequest.onRequest;

/** Drops pending requests: the next user has not made them. */
export function clearChatRequests(): void {
  openRequest.clear();
  startRequest.clear();
}
