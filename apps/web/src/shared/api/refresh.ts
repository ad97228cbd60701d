import { createWebLock, type Locks } from '#web/shared/lib/web-lock.ts';
import type { AccessToken } from './access-token.ts';
import type { AuthEndpoints } from './auth-endpoints.ts';
import { ApiError } from './errors.ts';
import { REQUEST_TIMEOUT_MS, type Request } from './request.ts';
import type { SessionChannel } from './session-channel.ts';
import type { TokenOwner } from './token-owner.ts';

const LOCK = 'sendlap-refresh';
/** A tab that had to wait for the lock checks this often, for this long, whether the winner's message has arrived. */
const NEW_TOKEN_POLLS = 10;
const NEW_TOKEN_POLL_MS = 50;

/** Client errors that say nothing about the session: 408 time-out, 425 too early, 429 too many requests. */
const TRANSIENT_STATUSES = [408, 425, 429];

export interface RefreshDeps {
  endpoints: () => Promise<Pick<AuthEndpoints, 'refresh'>>;
  request: Request;
  token: AccessToken;
  channel: Pick<SessionChannel, 'post'>;
  /** undefined if the browser has no Web Locks; the server then tolerates a duplicate refresh for 60 s. */
  locks: Locks;
  owner: TokenOwner;
  /** Resolves when the page is left. Omitted in a worker. */
  left?: () => Promise<unknown>;
  /** Resolves after the delay; by default in real time. */
  wait?: (delay_ms: number) => Promise<void>;
  /** False after a sign-out: there is no session, or one that has not ended yet and must not sign the user in again. */
  canRefresh: () => boolean;
  /** The server's epoch, as named with the token; null: it named none. */
  epoch?: () => string | null;
}

/**
 * Requests an access token with the refresh cookie, once for all concurrent callers and tabs, and not if another token
 * than `stale` (the one that failed) has arrived. Throws AUTH_REQUIRED and clears the token on 401 and other 4xx. Keeps
 * it on 408, 425, 429, 5xx, without network, and for answers that are not our server's.
 */
export function createRefresh(deps: RefreshDeps) {
  const { endpoints, request, token, channel, locks, owner, left, canRefresh, epoch = () => null, wait = delay } = deps;
  const lock = createWebLock(LOCK, locks);
  let running: { end: Promise<void>; cleared: AbortSignal } | null = null;

  const hasNewToken = (stale: string | null) => token.getValid() !== null && token.getLatest() !== stale;

  /** Returns null if a sign-in, here or in another tab, was faster than the refusal of the session before it. */
  async function requestToken(cleared: AbortSignal) {
    const latest = token.getLatest();
    try {
      const { refresh } = await endpoints();
      return await request(refresh, {}, { signal: cleared });
    } catch (error) {
      // A late reply would bring the cookie of a session that has ended.
      if (cleared.aborted) throw aborted(cleared);
      if (!isRefusal(error)) throw error;
      if (!error.is_from_our_server) throw new ApiError({ code: 'NETWORK_ERROR', status: 0, cause: error });
      if (hasNewToken(latest)) return null;
      token.clear();
      throw new ApiError({ code: 'AUTH_REQUIRED', status: 401, cause: error });
    }
  }

  async function refreshToken(): Promise<void> {
    if (!canRefresh()) throw new ApiError({ code: 'AUTH_REQUIRED', status: 401 });
    const cleared = token.untilCleared();
    const reply = await requestToken(cleared);
    if (!reply) return;
    const { access_token, expires_in } = reply;
    if (cleared.aborted) throw aborted(cleared);
    if (owner.isForeign(access_token) && owner.requestReload()) {
      token.clear();
      throw new ApiError({ code: 'AUTH_REQUIRED', status: 401 });
    }
    token.set(access_token, expires_in);
    channel.post({ type: 'token', access_token, expires_in, epoch: epoch() });
  }

  const refreshUnlessNewToken = (stale: string | null) => (hasNewToken(stale) ? Promise.resolve() : refreshToken());

  async function refreshAfterWinner(stale: string | null): Promise<void> {
    for (let polls = 0; polls < NEW_TOKEN_POLLS && !hasNewToken(stale); polls += 1) await wait(NEW_TOKEN_POLL_MS);
    await refreshUnlessNewToken(stale);
  }

  async function refreshUnderLock(stale: string | null): Promise<void> {
    let refreshed: Promise<void> | undefined;
    // A page that is left lets go of the lock: browsers keep it asleep, and others would wait for it (decision 048). Its
    // refresh goes on when it is shown again; the server tolerates a second one.
    const hold = (refresh: typeof refreshAfterWinner) => {
      refreshed = refresh(stale);
      return left ? Promise.race([refreshed, left()]) : refreshed;
    };
    const was_free = await lock.runIfFree(() => hold(refreshUnlessNewToken));
    if (!was_free) await lock.run(() => hold(refreshAfterWinner));
    return refreshed;
  }

  return function refreshOnce(stale: string | null): Promise<void> {
    if (hasNewToken(stale)) return Promise.resolve();
    // One that was aborted says nothing about the session of now.
    if (running && !running.cleared.aborted) return running.end;
    const cleared = token.untilCleared();
    const end = refreshUnderLock(stale).finally(() => {
      if (running?.end === end) running = null;
    });
    running = { end, cleared };
    return end;
  };
}

/**
 * Waits for a refresh that is in flight in any tab or in the worker, at most as long as its time-out: a tab that sleeps
 * keeps the lock.
 */
export async function waitForRefresh(locks: RefreshDeps['locks']): Promise<void> {
  if (!locks) return;
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  await createWebLock(LOCK, locks)
    .run(() => Promise.resolve(), timeout)
    .catch(() => {});
}

function delay(delay_ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delay_ms));
}

/** `isSessionEndedError` knows it by its cause. */
function aborted({ reason }: AbortSignal): ApiError {
  return new ApiError({ code: 'AUTH_REQUIRED', status: 401, cause: reason });
}

function isRefusal(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  return error.status >= 400 && error.status < 500 && !TRANSIENT_STATUSES.includes(error.status);
}
