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
  /** False where this browser has neither a cookie of the server nor a key: then no session can be open. */
  maybeSignedIn(): Promise<boolean>;
  /** The last known user of this device, so that the app opens without network. */
  profiles: { load(): Promise<User | null>; save(user: User): Promise<void> };
}

export interface Session extends Pick<AuthState, 'getState' | 'subscribe'>, TokenOwner {
  /** Start-up: who is signed in? Asked once a page life, not on the auth paths (the router decides). */
  start(): Promise<void>;
  /** What runs every 15 minutes: a valid token, or a new one, or logged out. */
  check(): Promise<void>;
  /** Takes over what the callback (or a direct login) brought. */
  signIn(user: User, tokens: Tokens): Promise<void>;
  /**
   * Signs in with what `ask` brings, once no sign-out is on its way to the server any more. Throws what `ask` throws.
   * Every way in goes through it.
   */
  enter(ask: () => Promise<{ user: User; tokens: Tokens }>): Promise<void>;
  /** Takes over what a write told about the signed-in user, in all tabs. Ignored when another user is shown. */
  updateUser(user: User): Promise<void>;
  /** A new access token although the current one is valid: after a change of what it allows. Throws ApiError. */
  renew(): Promise<void>;
  /** The server says that this account is locked until it is erased. */
  lock(): void;
  /** Ends the session here in any case and at the server if it can be reached; resolves to where to go then. */
  logout(): Promise<string>;
  /** Completes what a sign-out could not: drops what a closed page left, tells the server. Never throws. */
  finishLogout(): Promise<void>;
  /** True from a logout until the next sign-in: whoever left on purpose is not brought back to where they were. */
  leftOnPurpose(): boolean;
  /** When the server last said who is signed in, ms of the monotonic clock; null: not about this user in this page life. */
  confirmedAt(user_id: string): number | null;
  /** Id of who is or was here in this page life: null for nobody, '' when it can't be told who it was. */
  lastUserId(): string | null;
  /** The server no longer knows us, or wants a new sign-in. */
  expire(error: ApiError): void;
  /** False after a sign-out that has not reached the server: its cookie must not bring anybody back. */
  mayRefresh(): boolean;
  /** Runs on every end of a session, also in another tab: for dropping what belongs to the user. */
  onSignedOut(listener: () => void | Promise<void>): void;
}

/** Who is signed in, outside React (spec, section 4). */
export function createSession(deps: SessionDeps): Session {
  const { token, refreshOnce, channel, profiles } = deps;
  const calls = createSessionCalls(deps);
  const presence = createPresence(deps);
  const { dispatch, getState, subscribe } = presence.state;
  const { check, endByServer } = createEnding({ token, refreshOnce, channel, presence });
  let started: Promise<void> | null = null;
  let confirmed: { user_id: string; at: number } | null = null;

  /** Shows who is signed in now. Whatever this device still holds of who was before is dropped first. */
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
    // Where nobody is known to have been, another tab may have kept something of who left.
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

/** The end of a session by the server's word, in all tabs: one whose token still works would go on with it. */
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
    // Asked rather than believed: somebody may have signed in again since that tab was refused.
    token.clear();
    void check();
  });
  return { check, endByServer };
}

interface SignOutDeps extends Pick<SessionDeps, 'channel' | 'token'> {
  calls: ReturnType<typeof createSessionCalls>;
  presence: Presence;
}

/** Ends the session here and, if it can be reached, at the server; resolves to where to go then. */
async function signOut({ channel, token, calls, presence }: SignOutDeps): Promise<string> {
  presence.beginLeaving();
  presence.state.dispatch({ type: 'clear_error' });
  token.clear();
  const ended = calls.endAtServer();
  // Not after the answer: what the other tabs ask meanwhile would be refused, and told to them as an error.
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

/** Finds out who is signed in: the last known user at once, the server's word as soon as it comes. */
async function startUp({ profiles, token, maybeSignedIn, calls, presence, admit }: StartUpDeps): Promise<void> {
  const { state, owner } = presence;
  const changes = presence.changes();
  // Whoever came or went while the server was asked is right, not its late reply.
  const isOutdated = () => presence.changes() !== changes;
  state.dispatch({ type: 'set_checking', checking_auth: true });
  if (calls.isLogoutPending()) {
    const told = await calls.tellPendingLogout().catch(() => null);
    if (isOutdated()) return;
    // Told by another tab, or overtaken by a sign-in there: the server knows who is signed in now.
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
    // Only the server's word ends a session; without it the last known user stays, unless the cookie is another's.
    if (known && !is_another && !isServersWord(error)) return;
    await presence.end(error instanceof ApiError ? error.message : undefined);
  } finally {
    state.dispatch({ type: 'set_checking', checking_auth: false });
  }
}
