import type { User } from '@sendlap/contract/users.ts';
import { openTabChannel, type TabChannel } from '#web/shared/lib/tab-channel.ts';

/** Messages about the session between the tabs of a browser and its service worker. */
export type SessionMessage =
  /** `epoch`: of the server, as named with the token. */
  | { type: 'token'; access_token: string; expires_in: number; epoch?: string | null }
  | { type: 'signed_in'; user_id: string }
  | { type: 'user'; user: User }
  /** The user has signed out. `sign_in_id`: of the session that ends. */
  | { type: 'logout'; sign_in_id: string | null }
  /** The server has ended this user's session; a tab got its answer. */
  | { type: 'ended'; user_id: string };

export type SessionChannel = TabChannel<SessionMessage>;

export function openSessionChannel(): SessionChannel {
  return openTabChannel('sendlap-session');
}
