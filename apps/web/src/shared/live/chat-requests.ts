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

/** Requests that the panel opens a chat, by its id. */
export const openChatRequests = createPendingRequest();
/** Requests that the panel starts the chat with a friend, by the id of that user. */
export const startChatRequests = createPendingRequest();

/** Drops pending requests: the next user has not made them. */
export function clearChatRequests(): void {
  openChatRequests.clear();
  startChatRequests.clear();
}
