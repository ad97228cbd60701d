import type { AccessToken } from './access-token.ts';
import type { AuthEndpoints } from './auth-endpoints.ts';
import { ApiError, isUnreachable } from './errors.ts';
import type { Request } from './request.ts';
import type { TabChannel } from './tab-channel.ts';

const LOCK = 'sendlap-refresh';
/** A tab that had to wait for the lock gives the winner's message this long to arrive. */
const HAND_OVER_MS = 50;

export interface RefreshDeps {
  endpoints: () => Promise<Pick<AuthEndpoints, 'refresh'>>;
  request: Request;
  token: AccessToken;
  channel: Pick<TabChannel, 'post'>;
  /** undefined where the browser has no Web Locks; the server then accepts a doubled refresh for 60 s. */
  locks: Pick<LockManager, 'request'> | undefined;
}

/**
 * A new access token for the refresh cookie, asked for once however many callers and tabs want it.
 * `stale` is the token that did not work: when another one has arrived meanwhile nothing is asked.
 * Throws AUTH_REQUIRED and clears the token on 401 and other 4xx; on 429, 5xx and without network the token stays.
 */
export function createRefresh({ endpoints, request, token, channel, locks }: RefreshDeps) {
  let running: Promise<void> | null = null;

  async function ask(): Promise<void> {
    const clearings = token.clearings();
    try {
      const { refresh } = await endpoints();
      const reply = await request(refresh, {}, {});
      if (clearings !== token.clearings()) throw new ApiError({ code: 'AUTH_REQUIRED', status: 401 });
      token.set(reply.access_token, reply.expires_in);
      channel.post({ type: 'token', access_token: reply.access_token, expires_in: reply.expires_in });
    } catch (error) {
      if (isUnreachable(error)) throw error;
      token.clear();
      throw new ApiError({ code: 'AUTH_REQUIRED', status: 401, cause: error });
    }
  }

  const askUnlessHandedOver = (stale: string | null) =>
    token.valid() !== null && token.current() !== stale ? Promise.resolve() : ask();

  async function underLock(stale: string | null): Promise<void> {
    if (!locks) return ask();
    const won = await locks.request(LOCK, { ifAvailable: true }, async (lock) => {
      if (lock) await askUnlessHandedOver(stale);
      return lock !== null;
    });
    if (won) return;
    await locks.request(LOCK, async () => {
      await new Promise((resolve) => setTimeout(resolve, HAND_OVER_MS));
      await askUnlessHandedOver(stale);
    });
  }

  return function refreshOnce(stale: string | null): Promise<void> {
    if (token.valid() !== null && token.current() !== stale) return Promise.resolve();
    running ??= underLock(stale).finally(() => {
      running = null;
    });
    return running;
  };
}
