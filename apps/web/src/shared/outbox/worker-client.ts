import { refresh } from '@sendlap/contract/auth.ts';
import { createAccessToken } from '../api/access-token.ts';
import { createCall } from '../api/call.ts';
import { ApiError, isSessionEndedError } from '../api/errors.ts';
import { createRefresh } from '../api/refresh.ts';
import { createRequest } from '../api/request.ts';
import { createServerClock } from '../api/server-clock.ts';
import { createServerEpoch } from '../api/server-epoch.ts';
import { openSessionChannel } from '../api/session-channel.ts';
import { readUserId, type TokenOwner } from '../api/token-owner.ts';
import { createDpopProof, hasSessionKey } from '../device/session-key.ts';
import type { SendOutbox } from './send/background-sync.ts';
import { createOutboxCalls } from './send/outbox-calls.ts';
import { sendUnattended } from './send/send-unattended.ts';
import { createEpochs } from './send/watch-requeues.ts';
import { createSendStore } from './store/send-store.ts';
import { lockChat, lockOutbox, openOutbox, openOutboxChannel } from './tabs.ts';

/**
 * The outbox of the service worker: a script of its own (`apps/web/build/worker.ts`), so that the worker starts without
 * it. Wiring only, as in `client.ts`.
 */
const monotonicNow = () => performance.now();
const base = import.meta.env.VITE_API_BASE ?? '';
const token = createAccessToken(monotonicNow);
// Workers have no local storage: the reply to the refresh measures the clock before any op is sent.
const clock = createServerClock({ now: () => Date.now(), monotonicNow, storage: undefined });
/** The worker shows no user; each call names the one as whom it may be sent. */
const owner: TokenOwner = { isForeign: () => false, requestReload: () => false };
const channel = openOutboxChannel();
const server_epoch = createServerEpoch();

const request = createRequest({
  fetch: (input, init) => fetch(input, init),
  clock,
  onEpoch: server_epoch.observe,
  monotonicNow,
  base,
  async createProof(method, path) {
    const url = (base || location.origin) + path;
    const proof = await createDpopProof({ method, url, now_ms: clock.correctedNow(), may_create_key: false });
    // Without its proof the refresh would look like theft.
    if (proof === null) throw new ApiError({ code: 'NETWORK_ERROR', status: 0 });
    return proof;
  },
});

const refreshOnce = createRefresh({
  endpoints: async () => ({ refresh }),
  request,
  token,
  channel: openSessionChannel(),
  locks: navigator.locks,
  owner,
  canRefresh: () => true,
  epoch: server_epoch.latest,
});

const call = createCall({
  request,
  token,
  refreshOnce,
  onSignedOut: () => {},
  owner,
  onLocked: () => {},
  onWritten: () => {},
  isOnline: () => navigator.onLine,
  onReached: () => {},
});

/**
 * Asks the server each time: since the last one, another user may have signed in. A sign-out deletes the key. Null also
 * if the token names no user (another server): only a page can find out.
 */
async function openSession(): Promise<string | null> {
  if (!(await hasSessionKey())) return null;
  try {
    await refreshOnce(token.getLatest());
  } catch (error) {
    if (isSessionEndedError(error)) return null;
    throw error;
  }
  return readUserId(token.getLatest() ?? '');
}

const store = createSendStore({
  open: openOutbox,
  onChange: () => channel.post({ type: 'changed' }),
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  // Its rows only shrink; a page frees space if one grows.
  freeSpace: async () => {},
});

const { saveEpoch, readEpoch } = createEpochs(store, () => {});
server_epoch.subscribe((epoch) => void saveEpoch(epoch).catch(() => {}));

const sendOutbox: SendOutbox = (onBegin) =>
  sendUnattended(
    {
      ...createOutboxCalls(call),
      store,
      readEpoch,
      lock: lockOutbox,
      lockChat,
      openSession,
      onResults: (results) => channel.post({ type: 'results', results }),
      now: () => Date.now(),
      measureClock: async () => clock.measurement(),
      random: () => Math.random(),
      monotonicNow,
      wait: (delay_ms) => new Promise((resolve) => setTimeout(resolve, delay_ms)),
    },
    onBegin,
  );

Object.assign(globalThis, { sendOutbox });
