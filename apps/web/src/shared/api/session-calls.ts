import type { User } from '@sendlap/contract/users.ts';
import type { AccessToken } from './access-token.ts';
import type { AuthEndpoints } from './auth-endpoints.ts';
import type { Call } from './call.ts';
import { ApiError, isUnreachable } from './errors.ts';
import type { Request } from './request.ts';
import { completeUserReply } from './user-reply.ts';

const LOGOUT_PENDING_KEY = 'logout-pending';

export interface SessionCallsDeps {
  endpoints: () => Promise<Pick<AuthEndpoints, 'getMe' | 'logout'>>;
  call: Call;
  request: Request;
  token: AccessToken;
  refreshOnce: (stale: string | null) => Promise<void>;
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}

export interface SessionCalls {
  /** The signed-in user. When the first answer is a refusal the session is refreshed and asked for again. */
  fetchMe(): Promise<User>;
  /** Ends the session at the server; resolves to the provider's own logout address, if it has one. */
  endAtServer(): Promise<string | null>;
  /** Whether a logout has not reached the server yet: its cookie must not sign anybody in again. */
  isLogoutPending(): boolean;
  forgetPendingLogout(): void;
}

/** The calls that the session itself makes (spec, section 4). */
export function createSessionCalls(deps: SessionCallsDeps): SessionCalls {
  const { endpoints, call, request, token, refreshOnce, storage } = deps;
  const forgetPendingLogout = () => storage.removeItem(LOGOUT_PENDING_KEY);
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
      try {
        const { logout } = await endpoints();
        const reply = await request(logout, {}, { prepare: (body) => body ?? { logout_url: null } });
        forgetPendingLogout();
        return reply.logout_url;
      } catch (error) {
        // A server that answers at all has no session of ours any more, whatever it says.
        if (!isUnreachable(error)) forgetPendingLogout();
        throw error;
      }
    },
    isLogoutPending: () => storage.getItem(LOGOUT_PENDING_KEY) !== null,
    forgetPendingLogout,
  };
}
