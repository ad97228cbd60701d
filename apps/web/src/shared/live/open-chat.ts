type Listener = (id: string) => void;

/** Requests to the chat panel. A request made before the panel is mounted waits for it; only the latest is kept. */
function createWish() {
  const listeners = new Set<Listener>();
  let waiting: string | null = null;
  return {
    ask(id: string): void {
      if (listeners.size === 0) waiting = id;
      else for (const listener of listeners) listener(id);
    },
    /** Subscribes to requests, including a waiting one at once. Returns the function that unsubscribes. */
    onAsk(listener: Listener): () => void {
      listeners.add(listener);
      if (waiting !== null) listener(waiting);
      waiting = null;
      return () => listeners.delete(listener);
    },
    forget(): void {
      waiting = null;
    },
  };
}

const open = createWish();
const start = createWish();

/** Asks the panel to show a chat, by its id. */
export const askToOpenChat = open.ask;
export const onAskToOpenChat = open.onAsk;

/** Asks the panel for the chat with a friend, by the id of that user. */
export const askToStartChat = start.ask;
export const onAskToStartChat = start.onAsk;

/** Drops waiting requests: the next user has not made them. */
export function forgetAskedChats(): void {
  open.forget();
  start.forget();
}
