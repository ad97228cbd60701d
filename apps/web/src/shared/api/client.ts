import type { Endpoint } from '@sendlap/contract/wire/endpoint.ts';
import { createListeners } from '#web/shared/lib/store.ts';
import { deviceStorage } from '../device/device-storage.ts';
import { waitForRetryOpportunity } from '../device/wait-for-retry-opportunity.ts';
import { createAccessToken } from './access-token.ts';
import { loadAuthEndpoints } from './auth-endpoints.ts';
import { createCall } from './call.ts';
import { type ApiError, isSessionEndedError } from './errors.ts';
import { createReachability } from './reachability.ts';
import { createRefresh } from './refresh.ts';
import { createRequest, readRefusal } from './request.ts';
import { createServerClock, watchPage } from './server-clock.ts';
import { createServerEpoch } from './server-epoch.ts';
import { createSession } from './session.ts';
import { openSessionChannel } from './session-channel.ts';
import type { TokenOwner } from './token-owner.ts';

/** The wiring of the api layer: all other modules take their dependencies as arguments. */
const monotonicNow = () => performance.now();
const base = import.meta.env.VITE_API_BASE ?? '';
/** A cookie beside the refresh token that scripts can read. */
const SESSION_FLAG = 'sendlap_session=';
/** Of a start that neither the device nor the server has answered. */
const START_RETRY_MS = 5_000;
const channel = openSessionChannel();
const token = createAccessToken(monotonicNow);

export const serverClock = createServerClock({
  now: () => Date.now(),
  monotonicNow,
  storage: deviceStorage,
  database: {
    load: async () => (await import('../device/server-offset.ts')).loadServerOffset(),
    save: async (text) => (await import('../device/server-offset.ts')).saveServerOffset(text),
  },
});
if (globalThis.window) watchPage(serverClock, window);

export const reachability = createReachability();
export const serverEpoch = createServerEpoch();

/** A browser that was killed right after a sign-in has its key on disk, but no cookie yet. */
async function hasKey(): Promise<boolean> {
  try {
    const { hasSessionKey } = await import('../device/session-key.ts');
    return await hasSessionKey();
  } catch {
    return true;
  }
}

/** One attempt of a call, for callers with a token of their own (a kiosk). All others use `call`. */
export const request = createRequest({
  fetch: (input, init) => fetch(input, init),
  clock: serverClock,
  onEpoch: serverEpoch.observe,
  monotonicNow,
  base,
  createProof: async ({ method, path, access }) => {
    const { createDpopProof } = await import('../device/session-key.ts');
    return createDpopProof({
      method,
      url: (base || location.origin) + path,
      now_ms: serverClock.correctedNow(),
      key_creation: access === 'anyone' ? 'always' : 'while_signed_in',
    });
  },
});
// `session` is created from the calls that need it, so they look it up when they run.
const owner: TokenOwner = {
  isForeign: (access_token) => session.isForeign(access_token),
  requestReload: () => session.requestReload(),
};
const writes = createListeners<[Endpoint]>();
const refreshOnce = createRefresh({
  endpoints: loadAuthEndpoints,
  request,
  token,
  channel,
  locks: globalThis.navigator?.locks,
  owner,
  left: () => new Promise((resolve) => addEventListener('pagehide', resolve, { once: true })),
  canRefresh: () => session.canRefresh(),
  epoch: serverEpoch.latest,
});

/** See `Call`: `await call(getActivity, { params: { client_id } })`. */
export const call = createCall({
  request,
  token,
  refreshOnce,
  onSignedOut: (error) => session.expire(error),
  owner,
  onLocked: () => session.lock(),
  onWritten: writes.notify,
  isOnline: () => navigator.onLine,
  onReached: (reached) => reachability.set(reached),
});

export const session = createSession({
  endpoints: loadAuthEndpoints,
  call,
  request,
  token,
  refreshOnce,
  channel,
  storage: deviceStorage,
  locks: globalThis.navigator?.locks,
  onEpoch: serverEpoch.observe,
  monotonicNow,
  // This page cannot see the cookies of another origin.
  mayBeSignedIn: async () => base !== '' || document.cookie.includes(SESSION_FLAG) || hasKey(),
  deleteSession: async () => (await import('../device/session-key.ts')).deleteSession(),
  // Lazy-loaded: the sign-in screen needs no database.
  profiles: {
    load: async () => (await import('../local-db/user-profile.ts')).loadLastUser(),
    save: async (user, isSignedIn) => (await import('../local-db/user-profile.ts')).saveUser(user, isSignedIn),
  },
  hasUser: async () => (await (await import('../device/last-user.ts')).loadUserOfDevice()) != null,
  waitForRetry: () => waitForRetryOpportunity(START_RETRY_MS),
  reload: () => location.assign('/'),
  isOnSignInPage: () => /^\/(login|register)\/?$/.test(globalThis.location?.pathname ?? ''),
});

session.onSignedOut(async () => (await import('../local-db/database.ts')).deleteUserData);

/** Subscribes to every successful write, for caches that the write may have made stale. */
export function onWritten(listener: (endpoint: Endpoint) => void): void {
  writes.subscribe(listener);
}

/**
 * Returns a bearer token for requests other than `call` (streams, files); null if the session has none for the shown
 * user. `rejected_token`: a token that the server did not accept; requests a new one, and reports the end of the session.
 */
export async function getStreamToken(rejected_token: string | null = null): Promise<string | null> {
  if (token.getValid() === null || token.getValid() === rejected_token) await renewToken();
  const valid = token.getValid();
  if (valid === null || !session.isForeign(valid)) return valid;
  session.requestReload();
  return null;
}

/**
 * Returns the refusal of a stream or a file that was requested with this token. If it asks for a new sign-in, ends the
 * session as `call` does, unless another token has arrived since.
 */
export async function handleRefusal(response: Response, sent_token: string): Promise<ApiError> {
  const error = await readRefusal(response, base);
  if (error.code === 'REAUTH_REQUIRED' && sent_token === token.getLatest()) {
    token.clear();
    session.expire(error);
  }
  return error;
}

async function renewToken(): Promise<void> {
  try {
    await refreshOnce(token.getLatest());
  } catch (error) {
    if (isSessionEndedError(error)) session.expire(error);
    throw error;
  }
}
