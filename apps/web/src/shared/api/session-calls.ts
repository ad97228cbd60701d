import type { User } from '@sendlap/contract/users.ts';
import type { AccessToken } from './access-token.ts';
import type { AuthEndpoints } from './auth-endpoints.ts';
import type { Call } from './call.ts';
import { ApiError, isUnreachable } from './errors.ts';
import { createExclusive } from './exclusive.ts';
import type { Request } from './request.ts';
import { singleFlight } from './single-flight.ts';
import { completeUserReply } from './user-reply.ts';

const LOGOUT_PENDING_KEY = 'logout-pending';
/** Where the sign-in page says that the provider still knows this browser. */
const PROVIDER_SESSION_OPEN = '/login?notice=provider_session_open';
const LOCK = 'sendlap-sign-out';

export interface SessionCallsDeps {
  endpoints: () => Promise<Pick<AuthEndpoints, 'getMe' | 'logout' | 'isErrorCode'>>;
  call: Call;
  request: Request;
  token: AccessToken;
  refreshOnce: (stale: string | null) => Promise<void>;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  /** undefined where the browser has no Web Locks; sign-in and sign-out then wait for each other in this tab only. */
  locks: Pick<LockManager, 'request'> | undefined;
  /** Drops the key that proves this browser to the server. */
  forgetKey: () => Promise<void>;
}

export interface SessionCalls {
  /** The signed-in user. When the first answer is a refusal the session is refreshed and asked for again. */
  fetchMe(): Promise<User>;
  /** Ends the session at the server; resolves to where to go next, if it matters: the provider's own logout address, or a notice. Throws ApiError. */
  endAtServer(): Promise<string | null>;
  /**
   * The same for a logout that is still pending; undefined when there is none (any more): somebody else told it, or
   * signed in meanwhile. Throws ApiError.
   */
  tellPendingLogout(): Promise<string | null | undefined>;
  /**
   * Asks for a session while no logout is on its way, in any tab: the late reply of one would take the new cookie
   * with it. Waits as long as that logout's time-out at most.
   */
  askToEnter<T>(ask: () => Promise<T>): Promise<T>;
  /** Whether a logout has not reached the server yet: its cookie must not sign anybody in again. */
  isLogoutPending(): boolean;
  forgetPendingLogout(): void;
}

/** The calls that the session itself makes (spec, section 4). */
export function createSessionCalls(deps: SessionCallsDeps): SessionCalls {
  const { endpoints, call, token, refreshOnce, storage } = deps;
  const exclusively = createExclusive(LOCK, deps.locks);
  const isLogoutPending = () => storage.getItem(LOGOUT_PENDING_KEY) !== null;
  const forgetPendingLogout = () => storage.removeItem(LOGOUT_PENDING_KEY);

  const tellPendingLogout = singleFlight(async () => {
    if (!isLogoutPending()) return undefined;
    const loaded = await endpoints();
    return exclusively(async () => {
      if (!isLogoutPending()) return undefined;
      // Told or not: whoever signs in next is known by another key.
      await deps.forgetKey().catch(() => {});
      return tell(deps, loaded, forgetPendingLogout);
    });
  });

  return {
    async fetchMe() {
      const { getMe } = await endpoints();
      const ask = () => call(getMe, {}, { as_is: true, prepare: completeUserReply });
      try {
        return (await ask()).user;
      } catch (error) {
        // On 401 the call has refreshed by itself already; without an answer a refresh would get none either.
        if (isUnreachable(error) || (error instanceof ApiError && [401, 403].includes(error.status))) throw error;
      }
      await refreshOnce(token.current());
      return (await ask()).user;
    },
    async endAtServer() {
      storage.setItem(LOGOUT_PENDING_KEY, '1');
      const told = await tellPendingLogout();
      // One that was under way may have looked before there was anything to tell.
      if (told === undefined && isLogoutPending()) return (await tellPendingLogout()) ?? null;
      return told ?? null;
    },
    tellPendingLogout,
    async askToEnter(ask) {
      await tellPendingLogout().catch(() => {});
      return exclusively(async () => {
        const reply = await ask();
        // Before the next may tell it: the cookie is somebody else's now.
        forgetPendingLogout();
        return reply;
      });
    },
    isLogoutPending,
    forgetPendingLogout,
  };
}

type Loaded = Awaited<ReturnType<SessionCallsDeps['endpoints']>>;

async function tell({ request }: SessionCallsDeps, loaded: Loaded, forget: () => void): Promise<string | null> {
  try {
    const reply = await request(loaded.logout, {}, { prepare: (body) => body ?? { logout_url: null } });
    forget();
    return reply.logout_url ?? (reply.provider_session_open ? PROVIDER_SESSION_OPEN : null);
  } catch (error) {
    // Only "who are you?" says that there is no session of ours any more; a public network may refuse in its place.
    if (error instanceof ApiError && error.status === 401 && loaded.isErrorCode(error.backend_error)) forget();
    throw error;
  }
}
