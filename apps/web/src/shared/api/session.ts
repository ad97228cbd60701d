import type { Tokens } from '@sendlap/contract/auth.ts';
import type { User } from '@sendlap/contract/users.ts';
import { SESSION_CHECK_INTERVAL_MS } from '@sendlap/domain/session-machine.ts';
import { isCallbackPath, PATHS } from '#web/shared/paths.ts';
import type { AuthState } from './auth-state.ts';
import { type ApiError, isSessionEndedError } from './errors.ts';
import { createSessionCalls, type SessionCallsDeps } from './session-calls.ts';
import { once, singleFlight } from './single-flight.ts';
import { type StartUpPorts, startUp } from './start-up.ts';
import { createTabSession, type SignOutListener, type TabSession, type TabSessionDeps } from './tab-session.ts';
import type { TokenOwner } from './token-owner.ts';

/** Of some seconds each. */
const MOST_WAITS = 12;
const LOGOUT_FAILED = 'Logout failed, but you have been logged out locally';

export interface SessionDeps extends SessionCallsDeps, TabSessionDeps, StartUpPorts {
  monotonicNow: () => number;
  /** Returns whether a user has signed in on this device and not signed out since, as of its database. */
  hasUser(): Promise<boolean>;
}

export interface Session extends Pick<AuthState, 'getState' | 'subscribe'>, TokenOwner {
  /** Start-up: finds out who is signed in. Runs once per page load, except on the auth paths (`main.tsx` and `App.tsx` decide). */
  start(): Promise<void>;
  /** Runs every 15 minutes: ensures a valid token by a refresh if needed, or signs the user out. */
  check(): Promise<void>;
  /** Signs in with the result of the callback (or of a direct login). */
  signIn(user: User, tokens: Tokens): Promise<void>;
  /**
   * Signs in with the result of `requestSignIn`, once no sign-out is in flight to the server. Every sign-in goes
   * through it. Throws what `requestSignIn` throws.
   */
  signInWith(requestSignIn: () => Promise<{ user: User; tokens: Tokens }>): Promise<void>;
  /** Applies a write's reply to the signed-in user, in all tabs. A no-op if another user is shown. */
  updateUser(user: User): Promise<void>;
  /** Gets a new access token although the current one is valid, after a change of its permissions. Throws ApiError. */
  renew(): Promise<void>;
  /** Called when the server reports that this account is locked until it is erased. */
  lock(): void;
  /** Ends the session here in any case, and at the server if it is reachable. Returns the URL to open next. */
  logout(): Promise<string>;
  /** Completes an unfinished sign-out: drops data that a closed page left, sends the logout. Never throws. */
  finishLogout(): Promise<void>;
  /**
   * True from a logout until the next sign-in: a user who signed out on purpose does not return to their last screen.
   */
  wasSignOutIntended(): boolean;
  /** When the server last confirmed this user, ms of the monotonic clock; null: not yet in this page life. */
  confirmedAt(user_id: string): number | null;
  /** Id of the user who is or was signed in during this page life: null without one, '' if the id is unknown. */
  lastUserId(): string | null;
  /** The server no longer knows the session, or requires a new sign-in. */
  expire(error: ApiError): void;
  /** False after a sign-out: there is no session, or one that has not ended yet and must not sign the user in again. */
  canRefresh(): boolean;
  /** Calls back on every end of a session, also in another tab, to drop the user's data. */
  onSignedOut(listener: SignOutListener): void;
}

/** Creates the session of this tab: who is signed in, kept outside React. */
export function createSession(deps: SessionDeps): Session {
  const { token, refreshOnce, channel, profiles } = deps;
  const calls = createSessionCalls(deps);
  const tabSession = createTabSession(deps);
  const { dispatch, getState, subscribe } = tabSession.state;
  const hasUnfinishedSignOut = () => calls.hasPendingLogout() || tabSession.drop.isPending();
  const forgetOldMarks = once(() => forgetMarksBeforeSignIn({ ...deps, calls, tabSession }));
  const saveProfile = createProfileSaver({ profiles, calls, tabSession });
  let started: Promise<void> | null = null;
  let last_confirmed: { user_id: string; at: number } | null = null;

  /** Shows the signed-in user. First drops all data of the previous user on this device. */
  async function showUser(user: User, previous_user: User | null): Promise<void> {
    const change_count = tabSession.changeCount();
    if (previous_user && previous_user.id !== user.id) await tabSession.dropUserData();
    if (tabSession.changeCount() !== change_count) return;
    last_confirmed = { user_id: user.id, at: deps.monotonicNow() };
    tabSession.markSignedIn(user);
    await saveProfile(user);
  }

  async function finishPendingLogout(): Promise<void> {
    if (!hasUnfinishedSignOut()) return;
    await forgetOldMarks();
    await tabSession.finishDroppingUserData();
    await calls.sendPendingLogout().catch(() => {});
  }

  async function signIn(user: User, tokens: Tokens): Promise<void> {
    const previous_user = getState().user ?? (await profiles.load().catch(() => null)) ?? null;
    // If no previous user is known here, another tab may have kept data of a signed-out user.
    await (previous_user ? tabSession.finishDroppingUserData() : tabSession.dropUserData());
    calls.clearSignOut();
    token.set(tokens.access_token, tokens.expires_in);
    started = Promise.resolve();
    dispatch({ type: 'set_checking', checking_auth: false });
    await showUser(user, previous_user);
    channel.post({ type: 'signed_in', user_id: user.id });
  }

  async function updateShownUser(user: User): Promise<void> {
    if (getState().user?.id !== user.id) return;
    dispatch({ type: 'set_user', user });
    channel.post({ type: 'user', user });
    await saveProfile(user);
  }

  return {
    ...tabSession.owner,
    ...createServerSignOut({ ...deps, tabSession }),
    getState,
    subscribe,
    start: () => {
      started ??= startUp({ ...deps, calls, tabSession, showUser, hasUnfinishedSignOut, forgetOldMarks });
      return started;
    },
    signIn,
    async signInWith(requestSignIn) {
      const { user, tokens } = await calls.requestSession(requestSignIn);
      await signIn(user, tokens);
    },
    updateUser: updateShownUser,
    renew: () => refreshOnce(token.getLatest()),
    lock() {
      const { user } = getState();
      if (user?.is_active) void updateShownUser({ ...user, is_active: false });
    },
    logout: () => signOut({ ...deps, calls, tabSession }),
    finishLogout: singleFlight(finishPendingLogout),
    wasSignOutIntended: tabSession.wasSignOutIntended,
    confirmedAt: (user_id) => (last_confirmed?.user_id === user_id ? last_confirmed.at : null),
    lastUserId: tabSession.lastUserId,
    canRefresh: calls.canRefresh,
    onSignedOut: tabSession.onSignedOut,
  };
}

interface ServerSignOutDeps extends Pick<SessionDeps, 'channel' | 'token' | 'refreshOnce' | 'waitForRetry'> {
  tabSession: TabSession;
}

/** The end of a session by the server, in all tabs: a tab whose token still works would continue. */
function createServerSignOut({ channel, token, refreshOnce, waitForRetry, tabSession }: ServerSignOutDeps) {
  const { getState } = tabSession.state;

  async function handleServerSignOut(reason: string): Promise<void> {
    const { user } = getState();
    const finished = tabSession.end(reason);
    if (user) channel.post({ type: 'ended', user_id: user.id });
    await finished;
  }

  async function check(): Promise<void> {
    if (!getState().user || token.getValid() !== null) return;
    await refreshOnce(token.getLatest()).catch((error: unknown) => {
      if (isSessionEndedError(error)) return handleServerSignOut(error.message);
    });
  }

  /** Asks ever less often, up to once a minute. */
  const checkUntilAnswered = singleFlight(async () => {
    const user_id = getState().user?.id;
    for (let tries = 0; ; tries += 1) {
      await check();
      const { user } = getState();
      if (user?.id !== user_id || token.getValid() !== null || tabSession.restart.isInProgress()) return;
      for (let waits = Math.min(2 ** tries, MOST_WAITS); waits > 0; waits -= 1) await waitForRetry();
    }
  });

  /** Does nothing without a shown user: then the start-up decides, since a user may have signed in in another tab. */
  function expire({ message }: ApiError): void {
    if (getState().user) void handleServerSignOut(message);
  }

  channel.listen((message) => {
    if (message.type !== 'ended' || message.user_id !== getState().user?.id) return;
    // Checks instead of trusting the message: a user may have signed in again since that tab was refused.
    token.clear();
    void checkUntilAnswered();
  });
  return { check, expire };
}

interface SignOutDeps extends Pick<SessionDeps, 'channel' | 'token'> {
  calls: ReturnType<typeof createSessionCalls>;
  tabSession: TabSession;
}

/** Ends the session here and, if it is reachable, at the server. Returns the URL to open next. */
async function signOut({ channel, token, calls, tabSession }: SignOutDeps): Promise<string> {
  tabSession.beginSignOut();
  tabSession.state.dispatch({ type: 'clear_error' });
  token.clear();
  const finished = calls.logOutAtServer();
  // Posted before the server answers: otherwise requests of other tabs would be refused and shown as errors.
  channel.post({ type: 'logout', sign_in_id: tabSession.sign_in.id() });
  const logout_url = await finished.catch(() => {
    tabSession.state.dispatch({ type: 'set_error', error: LOGOUT_FAILED });
    return null;
  });
  await tabSession.signOutHere();
  return logout_url ?? PATHS.login;
}

interface OldMarksDeps extends Pick<SessionDeps, 'hasUser'> {
  calls: ReturnType<typeof createSessionCalls>;
  tabSession: TabSession;
}

/**
 * Forgets an unfinished sign-out if a user has signed in since. A killed browser may lose the last half minute of
 * localStorage, which marks sign-outs, while its databases are complete: the mark of a finished sign-out would come back
 * and end the next user's session. A sign-out whose deletion is pending is kept: its user is still in the database.
 */
async function forgetMarksBeforeSignIn({ hasUser, calls, tabSession }: OldMarksDeps): Promise<void> {
  if (!(await hasUser().catch(() => false)) || calls.hasPendingDelete()) return;
  calls.clearSignOut();
  tabSession.drop.end();
}

interface ProfileSaverDeps extends Pick<SessionDeps, 'profiles'> {
  calls: ReturnType<typeof createSessionCalls>;
  tabSession: TabSession;
}

/**
 * Returns a function that saves the user's profile, unless a sign-out has begun here or in another tab: it has deleted
 * the profile, and a late write would bring it back.
 */
function createProfileSaver({ profiles, calls, tabSession }: ProfileSaverDeps) {
  return async (user: User): Promise<void> => {
    const isShown = () => tabSession.state.getState().user?.id === user.id;
    const isSignedIn = () => isShown() && !calls.hasPendingLogout() && !tabSession.wasSignOutIntended();
    await profiles.save(user, isSignedIn).catch(() => {});
  };
}

/**
 * Checks the session every 15 minutes, except while the callback creates a new one. Returns the function that stops it.
 */
export function scheduleSessionChecks(session: Pick<Session, 'check'>, currentPath: () => string): () => void {
  const timer = setInterval(() => {
    if (!isCallbackPath(currentPath())) void session.check();
  }, SESSION_CHECK_INTERVAL_MS);
  return () => clearInterval(timer);
}
