import type { User } from '@sendlap/contract/users.ts';
import type { AccessToken } from './access-token.ts';
import { ApiError, isServerRefusal, isSessionEndedError } from './errors.ts';
import type { SessionCalls } from './session-calls.ts';
import type { TabSession } from './tab-session.ts';
import { isTokenOf } from './token-owner.ts';

export interface StartUpPorts {
  /** Returns false if this browser has neither the server's cookie nor a key: then no session can be open. */
  mayBeSignedIn(): Promise<boolean>;
  /** The last known user of this device, so that the app opens without network; undefined: it cannot be read now. */
  profiles: {
    load(): Promise<User | null | undefined>;
    /** Saves nothing if the user is no longer signed in when it comes to write. */
    save(user: User, isSignedIn: () => boolean): Promise<void>;
  };
  /** Resolves when a start without an answer may be tried again. */
  waitForRetry(): Promise<void>;
}

interface StartUpDeps extends StartUpPorts {
  token: AccessToken;
  calls: SessionCalls;
  tabSession: TabSession;
  showUser: (user: User, previous_user: User | null) => Promise<void>;
  hasUnfinishedSignOut: () => boolean;
  forgetOldMarks: () => Promise<void>;
}

/**
 * Finds out who is signed in: shows the last known user at once, then the server's answer. Without either it resolves
 * after the first try, and tries again until there is one.
 */
export async function startUp(deps: StartUpDeps): Promise<void> {
  const { state, changeCount } = deps.tabSession;
  state.dispatch({ type: 'set_checking', checking_auth: true });
  if (!(await findUser(deps))) void retry(deps, changeCount());
}

/** Until the user signs in. No try changes the sign-in page. */
async function retry(deps: StartUpDeps, change_count: number): Promise<void> {
  const { changeCount } = deps.tabSession;
  do await deps.waitForRetry();
  while (changeCount() === change_count && !(await findUser(deps).catch(() => true)));
}

/** Returns false if neither this device nor the server says who is signed in. */
async function findUser(deps: StartUpDeps): Promise<boolean> {
  const { profiles, token, mayBeSignedIn, calls, tabSession, showUser } = deps;
  const { state, owner } = tabSession;
  const change_count = tabSession.changeCount();
  // If a user signed in or out during the request, its late reply is stale.
  const isStale = () => tabSession.changeCount() !== change_count;
  // If dropping the data failed after a sign-out, the database may still hold the user who signed out.
  const loadUser = () =>
    tabSession.drop.isIntended() ? Promise.resolve(null) : profiles.load().catch(() => undefined);
  if (deps.hasUnfinishedSignOut()) {
    await deps.forgetOldMarks();
    if (isStale()) return true;
  }
  if (calls.hasPendingLogout()) {
    const next_url = await calls.sendPendingLogout().catch(() => null);
    if (isStale()) return true;
    // Another tab sent the logout, or a user signed in there: the server knows who is signed in now.
    if (next_url !== undefined) {
      await tabSession.signOutHere();
      return true;
    }
  }
  if (tabSession.drop.isPending()) await tabSession.finishDroppingUserData();
  const cached_user = await loadUser();
  if (isStale()) return true;
  if (cached_user) tabSession.showKnownUser(cached_user);
  else if (tabSession.sign_in.id() === null && !(await mayBeSignedIn())) {
    if (!isStale()) await tabSession.end();
    return true;
  }
  try {
    const user = await calls.fetchMe();
    if (isStale()) return true;
    if (tabSession.restart.isDueFor(user.id)) tabSession.restart.begin();
    else await showUser(user, cached_user ?? null);
    return true;
  } catch (error) {
    if (isStale()) return true;
    // In another tab a user may have signed in since: that session had nothing to do with this answer.
    const known_user = cached_user ?? (await loadUser());
    if (isStale()) return true;
    if (known_user && !cached_user) {
      tabSession.showKnownUser(known_user);
      return true;
    }
    const current = token.getValid();
    const is_other_user = current !== null && owner.isForeign(current);
    // Another tab has kept the user who is signed in now: nothing of that one may be dropped.
    if (is_other_user && (await isUserOf(current, loadUser))) {
      tabSession.restart.begin();
      return true;
    }
    // Only the server can end a session; without its answer the last known user stays, unless the cookie is another
    // user's. In Firefox a page that is left runs on for a moment in which it can neither read nor fetch.
    const is_over = isServerRefusal(error) || isSessionEndedError(error);
    if (known_user !== null && !is_other_user && !is_over) return known_user !== undefined;
    await tabSession.end(error instanceof ApiError ? error.message : undefined);
    return true;
  } finally {
    // A page that is about to be loaded again goes to no other address.
    if (!tabSession.restart.isInProgress()) state.dispatch({ type: 'set_checking', checking_auth: false });
  }
}

async function isUserOf(access_token: string, loadUser: () => Promise<User | null | undefined>): Promise<boolean> {
  const user = await loadUser();
  return user != null && isTokenOf(access_token, user.id);
}
