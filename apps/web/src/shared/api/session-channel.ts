import type { User } from '@sendlap/contract/users.ts';

/** Messages between the tabs of a browser. */
export type TabMessage =
  | { type: 'token'; access_token: string; expires_in: number }
  | { type: 'signed_in'; user_id: string }
  | { type: 'user'; user: User }
  | { type: 'logout' }
  /** The server has ended this user's session; a tab got its answer. */
  | { type: 'ended'; user_id: string };

export interface TabChannel {
  post(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
}

const NAME = 'sendlap-session';

/** Returns a channel to the other tabs; a no-op channel if the browser has none. */
export function createTabChannel(): TabChannel {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, listen: () => {} };
  const channel = new BroadcastChannel(NAME);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
  };
}
