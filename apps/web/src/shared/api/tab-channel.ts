import type { User } from '@sendlap/contract/users.ts';

/** What the tabs of one browser tell each other. */
export type TabMessage =
  | { type: 'token'; access_token: string; expires_in: number }
  | { type: 'signed_in'; user_id: string }
  | { type: 'user'; user: User }
  | { type: 'logout' }
  /** The server has ended this user's session, as a tab was told. */
  | { type: 'ended'; user_id: string };

export interface TabChannel {
  post(message: TabMessage): void;
  listen(listener: (message: TabMessage) => void): void;
}

const NAME = 'sendlap-session';

/** A channel to the other tabs; one that says nothing where the browser has none. */
export function createTabChannel(): TabChannel {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, listen: () => {} };
  const channel = new BroadcastChannel(NAME);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data)),
  };
}
