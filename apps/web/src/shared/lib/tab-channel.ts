export interface TabChannel<Message> {
  post(message: Message): void;
  listen(listener: (message: Message) => void): void;
}

/** A channel that may end before the page does. */
interface ClosableTabChannel<Message> extends TabChannel<Message> {
  /** Returns the function that unsubscribes. */
  listen(listener: (message: Message) => void): () => void;
  close(): void;
}

/** Returns a channel to the other tabs and the workers of this browser; a no-op channel if the browser has none. */
export function openTabChannel<Message>(name: string): ClosableTabChannel<Message> {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, listen: () => () => {}, close: () => {} };
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    listen(listener) {
      const onMessage = ({ data }: MessageEvent<Message>) => listener(data);
      channel.addEventListener('message', onMessage);
      return () => channel.removeEventListener('message', onMessage);
    },
    close: () => channel.close(),
  };
}
