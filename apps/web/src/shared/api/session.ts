import type { Tokens } from '@sendlap/contract/auth.ts';
import type { User } from '@sendlap/contract/users.ts';
import { type AuthState, createAuthState } from './auth-state.ts';
import { isUnreachable } from './errors.ts';
import { createSessionCalls, type SessionCallsDeps } from './session-calls.ts';
import type { TabChannel } from './tab-channel.ts';

const LOGOUT_FAILED = 'Logout failed, but you have been logged out locally';
/** boot.js reads it to show the right shell before anything else is known. */
const SIGNED_IN_KEY = 'signed-in';

export interface SessionDeps extends SessionCallsDeps {
  channel: TabChannel;
  /** The last known user of this device, so that the app opens without network. */
  profiles: { load(): Promise<User | null>; save(user: User): Promise<void> };
  /** Starts the app over, when another user signed in in another tab. */
  reload: () => void;
}

export interface Session extends Pick<AuthState, 'getState' | 'subscribe'> {
  /** Start-up: who is signed in? Asked once a page life, not on the auth paths (the router decides). */
  start(): Promise<void>;
  /** What runs every 15 minutes: a valid token, or a new one, or logged out. */
  check(): Promise<void>;
  /** Takes over what the callback (or a direct login) brought. */
  signIn(user: User, tokens: Tokens): Promise<void>;
  /** Ends the session here in any case and at the server if it can be reached; resolves to where to go then. */
  logout(): Promise<string>;
  /** True from a logout until the next sign-in: whoever left on purpose is not brought back to where they were. */
  leftOnPurpose(): boolean;
  /** The server no longer knows us. */
  expire(): void;
  /** Runs on every end of a session, also in another tab: for dropping what belongs to the user. */
  onSignedOut(listener: () => void | Promise<void>): void;
}

/** Who is signed in, outside React (spec, section 4). */
export function createSession(deps: SessionDeps): Session {
  const { token, refreshOnce, channel, profiles } = deps;
  const calls = createSessionCalls(deps);
  const presence = createPresence(deps);
  const { dispatch, getState, subscribe } = presence.state;
  let started: Promise<void> | null = null;

  async function startUp(): Promise<void> {
    const changes = presence.changes();
    // Whoever came or went while the server was asked is right, not its late reply.
    const isOutdated = () => presence.changes() !== changes;
    dispatch({ type: 'set_checking', checking_auth: true });
    if (calls.isLogoutPending()) {
      await calls.endAtServer().catch(() => {});
      return presence.end();
    }
    const known = await profiles.load().catch(() => null);
    if (isOutdated()) return;
    if (known) dispatch({ type: 'set_user', user: known });
    try {
      const user = await calls.fetchMe();
      if (isOutdated()) return;
      presence.welcome(user);
      await profiles.save(user);
    } catch (error) {
      if (!isOutdated() && !(known && isUnreachable(error))) await presence.end();
    } finally {
      dispatch({ type: 'set_checking', checking_auth: false });
    }
  }

  return {
    getState,
    subscribe,
    start: () => {
      started ??= startUp();
      return started;
    },
    async check() {
      if (!getState().user || token.valid() !== null) return;
      await refreshOnce(token.current()).catch((error: unknown) => (isUnreachable(error) ? undefined : presence.end()));
    },
    async signIn(user, tokens) {
      calls.forgetPendingLogout();
      token.set(tokens.access_token, tokens.expires_in);
      started = Promise.resolve();
      dispatch({ type: 'set_checking', checking_auth: false });
      presence.welcome(user);
      channel.post({ type: 'signed_in', user_id: user.id });
      await profiles.save(user).catch(() => {});
    },
    async logout() {
      dispatch({ type: 'clear_error' });
      token.clear();
      const logout_url = await calls.endAtServer().catch(() => {
        dispatch({ type: 'set_error', error: LOGOUT_FAILED });
        return null;
      });
      channel.post({ type: 'logout' });
      await presence.leave();
      return logout_url ?? '/login';
    },
    leftOnPurpose: presence.leftOnPurpose,
    expire: () => void presence.end(),
    onSignedOut: presence.onSignedOut,
  };
}

/** Coming and going of a user in this tab, and what the other tabs say about it. */
function createPresence({ token, storage, channel, reload }: SessionDeps) {
  const state = createAuthState();
  const leaving = new Set<() => void | Promise<void>>();
  let left_on_purpose = false;
  let changes = 0;

  function welcome(user: User): void {
    changes += 1;
    storage.setItem(SIGNED_IN_KEY, '1');
    left_on_purpose = false;
    state.dispatch({ type: 'set_user', user });
  }

  async function end(): Promise<void> {
    changes += 1;
    token.clear();
    storage.removeItem(SIGNED_IN_KEY);
    state.dispatch({ type: 'set_checking', checking_auth: false });
    state.dispatch({ type: 'logout' });
    await Promise.allSettled([...leaving].map(async (drop) => drop()));
  }

  function leave(): Promise<void> {
    left_on_purpose = true;
    return end();
  }

  channel.listen((message) => {
    const { user, checking_auth } = state.getState();
    // Also a tab that is still asking who it is must not come out of that signed in.
    if (message.type === 'logout' && (user || checking_auth)) void leave();
    if (!user) return;
    if (message.type === 'token') token.set(message.access_token, message.expires_in);
    if (message.type === 'signed_in' && user.id !== message.user_id) reload();
  });

  return {
    state,
    welcome,
    end,
    leave,
    leftOnPurpose: () => left_on_purpose,
    /** How often somebody came or went. */
    changes: () => changes,
    onSignedOut: (listener: () => void | Promise<void>) => void leaving.add(listener),
  };
}
