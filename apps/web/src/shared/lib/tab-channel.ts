export interface TabChannel<Message> {
  post(message: Message): void;
  listen(listener: (message: Message) => void): void;
}

/**
 * Returns a channel to the other tabs and the workers of this browser, for the life of the page; a no-op channel if the
 * browser has none.
 */
export function openTabChannel<Message>(name: string): TabChannel<Message> {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, listen: () => {} };
  const channel = new BroadcastChannel(name);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<Message>) => listener(data)),
  };
}
