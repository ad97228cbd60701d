type Listener = (id: string) => void;

/** What anybody may ask of the chat panel. What is asked before the panel is there waits for it, the latest alone. */
function createWish() {
  const listeners = new Set<Listener>();
  let waiting: string | null = null;
  return {
    ask(id: string): void {
      if (listeners.size === 0) waiting = id;
      else for (const listener of listeners) listener(id);
    },
    /** Hears what is asked, what waits at once, until the returned function is called. */
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

/** Drops what waits: whoever comes next has not asked for it. */
export function forgetAskedChats(): void {
  open.forget();
  start.forget();
}
