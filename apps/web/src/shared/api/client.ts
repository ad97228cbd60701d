import type { Endpoint } from '@sendlap/contract/endpoint.ts';
import { createAccessToken } from './access-token.ts';
import { loadAuthEndpoints } from './auth-endpoints.ts';
import { createCall } from './call.ts';
import { endsSession } from './errors.ts';
import { createReachability } from './reachability.ts';
import { createRefresh } from './refresh.ts';
import { createRequest } from './request.ts';
import { createServerClock, watchSight } from './server-clock.ts';
import { createSession } from './session.ts';
import { createTabChannel } from './tab-channel.ts';
import type { TokenOwner } from './token-owner.ts';

/** The wiring of the api layer: all other modules take their dependencies as arguments. */
const monotonicNow = () => performance.now();
const base = import.meta.env.VITE_API_BASE ?? '';
/** A cookie beside the refresh token that scripts can read. */
const SESSION_FLAG = 'sendlap_session=';
const storage = openStorage();
const channel = createTabChannel();
const token = createAccessToken(monotonicNow);

export const serverClock = createServerClock({ now: () => Date.now(), monotonicNow, storage });
if (globalThis.document) watchSight(serverClock, document);

export const reachability = createReachability();

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
  monotonicNow,
  base,
  prove: async (method, path) => {
    const { proveRequest } = await import('../device/session-key.ts');
    return proveRequest({ method, url: (base || location.origin) + path, now_ms: serverClock.correctedNow() });
  },
});
// `session` is created from the calls that need it, so they look it up when they run.
const owner: TokenOwner = {
  isForeign: (access_token) => session.isForeign(access_token),
  startOver: () => session.startOver(),
};
const writeListeners = new Set<(endpoint: Endpoint) => void>();
const refreshOnce = createRefresh({
  endpoints: loadAuthEndpoints,
  request,
  token,
  channel,
  locks: globalThis.navigator?.locks,
  owner,
  mayAsk: () => session.mayRefresh(),
});

/** See `Call`: `await call(getActivity, { params: { client_id } })`. */
export const call = createCall({
  request,
  token,
  refreshOnce,
  onSignedOut: (error) => session.expire(error),
  owner,
  onLocked: () => session.lock(),
  onWritten: (endpoint) => {
    for (const listener of writeListeners) listener(endpoint);
  },
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
  storage,
  locks: globalThis.navigator?.locks,
  monotonicNow,
  // This page cannot see the cookies of another origin.
  maybeSignedIn: async () => base !== '' || document.cookie.includes(SESSION_FLAG) || hasKey(),
  forgetKey: async () => (await import('../device/session-key.ts')).forgetSessionKey(),
  // Lazy-loaded: the sign-in screen needs no database.
  profiles: {
    load: async () => (await import('../local-db/user-profile.ts')).loadLastUser(),
    save: async (user) => (await import('../local-db/user-profile.ts')).saveUser(user),
  },
  reload: () => location.assign('/'),
  isAtDoor: () => /^\/(login|register)\/?$/.test(globalThis.location?.pathname ?? ''),
});

session.onSignedOut(async () => (await import('../local-db/database.ts')).wipeUser());

/** Subscribes to every successful write, for caches that the write may have made stale. */
export function onWritten(listener: (endpoint: Endpoint) => void): void {
  writeListeners.add(listener);
}

/**
 * Returns a bearer token for requests other than `call` (streams, files); null if the session has none for the shown
 * user. `refused`: a token that the server did not accept; requests a new one, and reports the end of the session.
 */
export async function streamToken(refused: string | null = null): Promise<string | null> {
  if (token.valid() === null || token.valid() === refused) await renewToken();
  const valid = token.valid();
  if (valid === null || !session.isForeign(valid)) return valid;
  session.startOver();
  return null;
}

async function renewToken(): Promise<void> {
  try {
    await refreshOnce(token.current());
  } catch (error) {
    if (endsSession(error)) session.expire(error);
    throw error;
  }
}

/** Returns a storage that forgets everything if the browser forbids storage. */
function openStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  try {
    localStorage.getItem('');
    return localStorage;
  } catch {
    const kept = new Map<string, string>();
    return {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    };
  }
}
