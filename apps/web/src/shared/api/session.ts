import type { Tokens } from '@sendlap/contract/auth.ts';
import type { User } from '@sendlap/contract/users.ts';
import type { AuthState } from './auth-state.ts';
import { ApiError, endsSession, isServersWord } from './errors.ts';
import { createPresence, type Presence, type PresenceDeps } from './presence.ts';
import { createSessionCalls, type SessionCallsDeps } from './session-calls.ts';
import { singleFlight } from './single-flight.ts';
import type { TokenOwner } from './token-owner.ts';

const LOGOUT_FAILED = 'Logout failed, but you have been logged out locally';

export interface SessionDeps extends SessionCallsDeps, PresenceDeps {
  monotonicNow: () => number;
  /** Returns false if this browser has neither the server's cookie nor a key: then no session can be open. */
  maybeSignedIn(): Promise<boolean>;
  /** The last known user of this device, so that the app opens without network. */
  profiles: { load(): Promise<User | null>; save(user: User): Promise<void> };
}

export interface Session extends Pick<AuthState, 'getState' | 'subscribe'>, TokenOwner {
  /** Start-up: finds out who is signed in. Runs once per page life, except on the auth paths (the router decides). */
  start(): Promise<void>;
  /** Runs every 15 minutes: ensures a valid token by a refresh if needed, or signs the user out. */
  check(): Promise<void>;
  /** Signs in with the result of the callback (or of a direct login). */
  signIn(user: User, tokens: Tokens): Promise<void>;
  /**
   * Signs in with the result of `ask`, once no sign-out is in flight to the server. Every sign-in goes through it.
   * Throws what `ask` throws.
   */
  enter(ask: () => Promise<{ user: User; tokens: Tokens }>): Promise<void>;
  /** Applies a write's reply to the signed-in user, in all tabs. A no-op if another user is shown. */
  updateUser(user: User): Promise<void>;
  /** Gets a new access token although the current one is valid, after a change of its permissions. Throws ApiError. */
  renew(): Promise<void>;
  /** Called when the server reports that this account is locked until it is erased. */
  lock(): void;
  /** Ends the session here in any case, and at the server if it is reachable. Returns the URL to open next. */
  logout(): Promise<string>;
  /** Completes an unfinished sign-out: drops data that a closed page left, tells the server. Never throws. */
  finishLogout(): Promise<void>;
  /** True from a logout until the next sign-in: a user who left on purpose does not return to their last screen. */
  leftOnPurpose(): boolean;
  /** When the server last confirmed this user, ms of the monotonic clock; null: not yet in this page life. */
  confirmedAt(user_id: string): number | null;
  /** Id of the user who is or was signed in during this page life: null without one, '' if the id is unknown. */
  lastUserId(): string | null;
  /** The server no longer knows the session, or requires a new sign-in. */
  expire(error: ApiError): void;
  /** False after a sign-out that has not reached the server: its cookie must not sign the user in again. */
  mayRefresh(): boolean;
  /** Calls back on every end of a session, also in another tab, to drop the user's data. */
  onSignedOut(listener: () => void | Promise<void>): void;
}

/** The signed-in user, outside React (spec, section 4). */
export function createSession(deps: SessionDeps): Session {
  const { token, refreshOnce, channel, profiles } = deps;
  const calls = createSessionCalls(deps);
  const presence = createPresence(deps);
  const { dispatch, getState, subscribe } = presence.state;
  const { check, endByServer } = createEnding({ token, refreshOnce, channel, presence });
  let started: Promise<void> | null = null;
  let confirmed: { user_id: string; at: number } | null = null;

  /** Shows the signed-in user. First drops all data of the previous user on this device. */
  async function admit(user: User, before: User | null): Promise<void> {
    const changes = presence.changes();
    if (before && before.id !== user.id) await presence.drop();
    if (presence.changes() !== changes) return;
    confirmed = { user_id: user.id, at: deps.monotonicNow() };
    presence.welcome(user);
    await profiles.save(user).catch(() => {});
  }

  async function tellPendingLogout(): Promise<void> {
    await presence.finishDrop();
    await calls.tellPendingLogout().catch(() => {});
  }

  async function signIn(user: User, tokens: Tokens): Promise<void> {
    const before = getState().user ?? (await profiles.load().catch(() => null));
    // If no previous user is known here, another tab may have kept data of a signed-out user.
    await (before ? presence.finishDrop() : presence.drop());
    calls.forgetPendingLogout();
    token.set(tokens.access_token, tokens.expires_in);
    started = Promise.resolve();
    dispatch({ type: 'set_checking', checking_auth: false });
    await admit(user, before);
    channel.post({ type: 'signed_in', user_id: user.id });
  }

  async function update(user: User): Promise<void> {
    if (getState().user?.id !== user.id) return;
    dispatch({ type: 'set_user', user });
    channel.post({ type: 'user', user });
    await profiles.save(user).catch(() => {});
  }

  return {
    ...presence.owner,
    getState,
    subscribe,
    start: () => {
      started ??= startUp({ ...deps, calls, presence, admit });
      return started;
    },
    check,
    signIn,
    async enter(ask) {
      const { user, tokens } = await calls.askToEnter(ask);
      await signIn(user, tokens);
    },
    updateUser: update,
    renew: () => refreshOnce(token.current()),
    lock() {
      const { user } = getState();
      if (user?.is_active) void update({ ...user, is_active: false });
    },
    logout: () => signOut({ ...deps, calls, presence }),
    finishLogout: singleFlight(tellPendingLogout),
    leftOnPurpose: presence.leftOnPurpose,
    confirmedAt: (user_id) => (confirmed?.user_id === user_id ? confirmed.at : null),
    lastUserId: presence.lastUserId,
    expire: (error) => void endByServer(error.message),
    mayRefresh: () => !calls.isLogoutPending(),
    onSignedOut: presence.onSignedOut,
  };
}

interface EndingDeps extends Pick<SessionDeps, 'channel' | 'token' | 'refreshOnce'> {
  presence: Presence;
}

/** The end of a session by the server, in all tabs: a tab whose token still works would continue. */
function createEnding({ channel, token, refreshOnce, presence }: EndingDeps) {
  const { getState } = presence.state;

  async function endByServer(reason: string): Promise<void> {
    const { user } = getState();
    const ended = presence.end(reason);
    if (user) channel.post({ type: 'ended', user_id: user.id });
    await ended;
  }

  async function check(): Promise<void> {
    if (!getState().user || token.valid() !== null) return;
    await refreshOnce(token.current()).catch((error: unknown) => {
      if (endsSession(error)) return endByServer(error.message);
    });
  }

  channel.listen((message) => {
    if (message.type !== 'ended' || message.user_id !== getState().user?.id) return;
    // Checks instead of trusting the message: a user may have signed in again since that tab was refused.
    token.clear();
    void check();
  });
  return { check, endByServer };
}

interface SignOutDeps extends Pick<SessionDeps, 'channel' | 'token'> {
  calls: ReturnType<typeof createSessionCalls>;
  presence: Presence;
}

/** Ends the session here and, if it is reachable, at the server. Returns the URL to open next. */
async function signOut({ channel, token, calls, presence }: SignOutDeps): Promise<string> {
  presence.beginLeaving();
  presence.state.dispatch({ type: 'clear_error' });
  token.clear();
  const ended = calls.endAtServer();
  // Before the server's answer: otherwise requests of other tabs would be refused in between and shown as errors.
  channel.post({ type: 'logout' });
  const logout_url = await ended.catch(() => {
    presence.state.dispatch({ type: 'set_error', error: LOGOUT_FAILED });
    return null;
  });
  await presence.leave();
  return logout_url ?? '/login';
}

interface StartUpDeps extends Pick<SessionDeps, 'profiles' | 'token' | 'maybeSignedIn'> {
  calls: ReturnType<typeof createSessionCalls>;
  presence: Presence;
  admit: (user: User, before: User | null) => Promise<void>;
}

/** Finds out who is signed in: shows the last known user at once, then the server's answer. */
async function startUp({ profiles, token, maybeSignedIn, calls, presence, admit }: StartUpDeps): Promise<void> {
  const { state, owner } = presence;
  const changes = presence.changes();
  // If a user signed in or out during the request, its late reply is stale.
  const isOutdated = () => presence.changes() !== changes;
  state.dispatch({ type: 'set_checking', checking_auth: true });
  if (calls.isLogoutPending()) {
    const told = await calls.tellPendingLogout().catch(() => null);
    if (isOutdated()) return;
    // Another tab sent the logout, or a user signed in there: the server knows who is signed in now.
    if (told !== undefined) return presence.end();
  }
  if (presence.hasToDrop()) await presence.finishDrop();
  const known = await profiles.load().catch(() => null);
  if (isOutdated()) return;
  if (known) state.dispatch({ type: 'set_user', user: known });
  else if (!presence.wasHere() && !(await maybeSignedIn())) {
    if (!isOutdated()) await presence.end();
    return;
  }
  try {
    const user = await calls.fetchMe();
    if (!isOutdated()) await admit(user, known);
  } catch (error) {
    if (isOutdated()) return;
    const current = token.valid();
    const is_another = current !== null && owner.isForeign(current);
    // Only the server can end a session; without its answer the last known user stays, unless the cookie is another
    // user's.
    if (known && !is_another && !isServersWord(error)) return;
    await presence.end(error instanceof ApiError ? error.message : undefined);
  } finally {
    state.dispatch({ type: 'set_checking', checking_auth: false });
  }
}
