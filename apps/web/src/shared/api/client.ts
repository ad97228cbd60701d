import { createAccessToken } from './access-token.ts';
import { loadAuthEndpoints } from './auth-endpoints.ts';
import { createCall } from './call.ts';
import { createRefresh } from './refresh.ts';
import { createRequest } from './request.ts';
import { createServerClock } from './server-clock.ts';
import { createSession } from './session.ts';
import { createTabChannel } from './tab-channel.ts';

/** The one wiring of the api layer: everything else takes what it needs as arguments. */
const monotonicNow = () => performance.now();
const storage = openStorage();
const channel = createTabChannel();
const token = createAccessToken(monotonicNow);

export const serverClock = createServerClock({ now: () => Date.now(), monotonicNow, storage });

const request = createRequest({
  fetch: (input, init) => fetch(input, init),
  clock: serverClock,
  monotonicNow,
  base: import.meta.env.VITE_API_BASE ?? '',
});
const refreshOnce = createRefresh({
  endpoints: loadAuthEndpoints,
  request,
  token,
  channel,
  locks: globalThis.navigator?.locks,
});

/** See `Call`: `await call(getActivity, { params: { client_id } })`. */
export const call = createCall({
  request,
  token,
  refreshOnce,
  onSignedOut: () => session.expire(),
  isOnline: () => navigator.onLine,
});

export const session = createSession({
  endpoints: loadAuthEndpoints,
  call,
  request,
  token,
  refreshOnce,
  channel,
  storage,
  // Loaded when asked for: the sign-in screen does without a database.
  profiles: {
    load: async () => (await import('../local-db/user-profile.ts')).loadLastUser(),
    save: async (user) => (await import('../local-db/user-profile.ts')).saveUser(user),
  },
  reload: () => location.assign('/'),
});

session.onSignedOut(async () => (await import('../local-db/database.ts')).wipeUser());

/** A bearer token for readers of streams, which are no `call`; null when the session cannot give one. */
export async function streamToken(): Promise<string | null> {
  if (token.valid() === null) await refreshOnce(token.current());
  return token.valid();
}

/** Storage that forgets when the browser forbids it. */
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
