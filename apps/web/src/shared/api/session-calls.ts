import type { User } from '@sendlap/contract/users.ts';
import { createWebLock, type Locks } from '#web/shared/lib/web-lock.ts';
import { PATHS } from '#web/shared/paths.ts';
import type { AccessToken } from './access-token.ts';
import type { AuthEndpoints } from './auth-endpoints.ts';
import type { Call } from './call.ts';
import { ApiError, isUnreachable } from './errors.ts';
import { waitForRefresh } from './refresh.ts';
import type { Request } from './request.ts';
import { singleFlight } from './single-flight.ts';

const LOGOUT_PENDING_KEY = 'logout-pending';
/** Set from the beginning of a sign-out until this device has deleted its key and its user: its database may fail. */
const DELETE_PENDING_KEY = 'delete-pending';
/** The sign-in page then says that the provider still has a session in this browser. */
const PROVIDER_SESSION_OPEN = `${PATHS.login}?notice=provider_session_open`;
const LOCK = 'sendlap-sign-out';

export interface SessionCallsDeps {
  endpoints: () => Promise<Pick<AuthEndpoints, 'getMe' | 'logout' | 'isErrorCode' | 'completeUserReply'>>;
  call: Call;
  request: Request;
  token: AccessToken;
  refreshOnce: (stale: string | null) => Promise<void>;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** undefined if the browser has no Web Locks; sign-in and sign-out then only wait for each other within this tab. */
  locks: Locks;
  /** Deletes the key that proves this browser's identity to the server, and the signed-in user beside it. */
  deleteSession: () => Promise<void>;
}

export interface SessionCalls {
  /** Fetches the signed-in user. If the first answer is a refusal, refreshes the session and asks again. */
  fetchMe(): Promise<User>;
  /**
   * Ends the session at the server. Returns the next URL, if it matters: the provider's logout page, or a notice.
   * Throws ApiError.
   */
  logOutAtServer(): Promise<string | null>;
  /**
   * Sends a logout that is still pending, as `logOutAtServer` does. Returns undefined if none is pending: another tab
   * sent it, or a user has signed in since. Throws ApiError.
   */
  sendPendingLogout(): Promise<string | null | undefined>;
  /**
   * Requests a session while no logout and no refresh is in flight in any tab: a late reply would delete or replace the
   * new cookie. Waits at most as long as their time-outs.
   */
  requestSession<T>(sendRequest: () => Promise<T>): Promise<T>;
  /** Returns whether a logout has not reached the server yet: its cookie must not sign the user in again. */
  hasPendingLogout(): boolean;
  /** False after a sign-out: there is no session, or one that has not ended yet and must not sign the user in again. */
  canRefresh(): boolean;
  /** Returns whether a sign-out has not deleted the key and the user from this device yet. */
  hasPendingDelete(): boolean;
  /** Forgets what a sign-out has left undone: a user has signed in since. */
  clearSignOut(): void;
}

/** The session's own calls (spec, section 4). */
export function createSessionCalls(deps: SessionCallsDeps): SessionCalls {
  const { endpoints, call, token, refreshOnce, storage } = deps;
  const lock = createWebLock(LOCK, deps.locks);
  const hasPendingLogout = () => storage.getItem(LOGOUT_PENDING_KEY) !== null;
  const clearPendingLogout = () => storage.removeItem(LOGOUT_PENDING_KEY);
  const hasPendingDelete = () => storage.getItem(DELETE_PENDING_KEY) !== null;
  const clearPendingDelete = () => storage.removeItem(DELETE_PENDING_KEY);
  const deleteSession = () => deps.deleteSession().then(clearPendingDelete, () => {});

  // Not by a sign-out of another tab: this one may still have to find out who is signed in.
  let has_logged_out = false;

  const sendPendingLogout = singleFlight(async () => {
    if (!hasPendingLogout()) return undefined;
    return lock.run(async () => {
      if (!hasPendingLogout()) return undefined;
      // Whether or not the logout reaches the server: the next sign-in uses another key. First, as it is what lasts if
      // the browser is killed (see `forgetOldMarks`).
      await deleteSession();
      return sendLogout(deps, await endpoints(), clearPendingLogout);
    });
  });

  return {
    async fetchMe() {
      const { getMe, completeUserReply } = await endpoints();
      const sendRequest = () => call(getMe, {}, { skip_owner_check: true, normalizeReply: completeUserReply });
      try {
        return (await sendRequest()).user;
      } catch (error) {
        // On 401 the call has already refreshed; without an answer a refresh would not get one either.
        if (isUnreachable(error) || (error instanceof ApiError && [401, 403].includes(error.status))) throw error;
      }
      await refreshOnce(token.getLatest());
      return (await sendRequest()).user;
    },
    async logOutAtServer() {
      has_logged_out = true;
      storage.setItem(LOGOUT_PENDING_KEY, '1');
      storage.setItem(DELETE_PENDING_KEY, '1');
      const next_url = await sendPendingLogout();
      // A logout in flight may have checked before this one was pending.
      if (next_url === undefined && hasPendingLogout()) return (await sendPendingLogout()) ?? null;
      return next_url ?? null;
    },
    sendPendingLogout,
    async requestSession(sendRequest) {
      await sendPendingLogout().catch(() => {});
      return lock.run(async () => {
        if (hasPendingDelete()) await deleteSession();
        await waitForRefresh(deps.locks);
        const reply = await sendRequest();
        // Before another tab can send it: the cookie now belongs to the new session.
        clearPendingLogout();
        return reply;
      });
    },
    hasPendingLogout,
    canRefresh: () => !has_logged_out && !hasPendingLogout(),
    hasPendingDelete,
    clearSignOut() {
      has_logged_out = false;
      clearPendingLogout();
      clearPendingDelete();
    },
  };
}

type LoadedEndpoints = Awaited<ReturnType<SessionCallsDeps['endpoints']>>;

async function sendLogout(
  { request }: SessionCallsDeps,
  loaded_endpoints: LoadedEndpoints,
  clearPending: () => void,
): Promise<string | null> {
  try {
    const reply = await request(
      loaded_endpoints.logout,
      {},
      { normalizeReply: (body) => body ?? { logout_url: null } },
    );
    clearPending();
    return reply.logout_url ?? (reply.provider_session_open ? PROVIDER_SESSION_OPEN : null);
  } catch (error) {
    // Only a 401 of our server says that the session is over; a captive portal may answer in its place.
    if (error instanceof ApiError && error.status === 401 && loaded_endpoints.isErrorCode(error.backend_error))
      clearPending();
    throw error;
  }
}
