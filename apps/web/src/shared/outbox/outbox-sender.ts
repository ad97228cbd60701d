import { refresh } from '@sendlap/contract/auth.ts';
import type { ClockMeasurement } from '@sendlap/domain/recording/clock-correction.ts';
import { createAccessToken } from '../api/access-token.ts';
import { createCall } from '../api/call.ts';
import { ApiError, isSessionEndedError } from '../api/errors.ts';
import { createRefresh, type RefreshDeps } from '../api/refresh.ts';
import { createRequest, type RequestDeps } from '../api/request.ts';
import { createServerClock } from '../api/server-clock.ts';
import { createServerEpoch } from '../api/server-epoch.ts';
import { readUserId, type TokenOwner } from '../api/token-owner.ts';
import type { OutboxChannel } from './outbox.ts';
import type { SendOutbox } from './send/background-sync.ts';
import { createOutboxCalls } from './send/outbox-calls.ts';
import { sendUnattended, type UnattendedDeps } from './send/send-unattended.ts';
import { createEpochs } from './send/watch-requeues.ts';
import { createSendStore, type SendStoreDeps } from './store/send-store.ts';

export interface OutboxSenderDeps
  extends Pick<UnattendedDeps, 'lock' | 'lockChat' | 'random' | 'monotonicNow' | 'wait'>,
    Pick<RequestDeps, 'fetch' | 'base'>,
    Pick<SendStoreDeps, 'open' | 'newId' | 'now'> {
  /** To the pages. */
  channel: Pick<OutboxChannel, 'post'>;
  session_channel: RefreshDeps['channel'];
  /** Under which the pages refresh the session. */
  locks: RefreshDeps['locks'];
  isOnline: () => boolean;
  /** A sign-out deletes the key. */
  hasSessionKey: () => Promise<boolean>;
  /** Returns null without a key. `now_ms`: server time. */
  createProof: (method: string, path: string, now_ms: number) => Promise<string | null>;
}

/** The worker shows no user; each call names the one as whom it may be sent. */
const OWNER: TokenOwner = { isForeign: () => false, requestReload: () => false };

/** The outbox of the service worker: what sends it while no page is open (decision 048). */
export function createOutboxSender(deps: OutboxSenderDeps): SendOutbox {
  const { channel, open, newId, now } = deps;
  const store = createSendStore({
    open,
    onChange: () => channel.post({ type: 'changed' }),
    now,
    newId,
    // Its rows only shrink; a page frees space if one grows.
    freeSpace: async () => {},
  });
  const server_epoch = createServerEpoch();
  const { saveEpoch, readEpoch } = createEpochs(store, () => {});
  server_epoch.subscribe((epoch) => void saveEpoch(epoch).catch(() => {}));
  const { openSession, call, measureClock } = createSenderSession(deps, server_epoch);
  const unattended: UnattendedDeps = {
    ...deps,
    ...createOutboxCalls(call),
    store,
    readEpoch,
    openSession,
    onResults: (results) => channel.post({ type: 'results', results }),
    measureClock,
  };
  return (onBegin) => sendUnattended(unattended, onBegin);
}

function createSenderSession(deps: OutboxSenderDeps, server_epoch: ReturnType<typeof createServerEpoch>) {
  const { fetch, base, locks, session_channel, now, monotonicNow, isOnline, hasSessionKey, createProof } = deps;
  const token = createAccessToken(monotonicNow);
  // Workers have no local storage: the reply to the refresh measures the clock before any op is sent.
  const clock = createServerClock({ now, monotonicNow, storage: undefined });

  const request = createRequest({
    fetch,
    clock,
    onEpoch: server_epoch.observe,
    monotonicNow,
    base,
    async createProof({ method, path }) {
      const proof = await createProof(method, path, clock.correctedNow());
      // Without its proof the refresh would look like theft.
      if (proof === null) throw new ApiError({ code: 'NETWORK_ERROR', status: 0 });
      return proof;
    },
  });
  const refreshOnce = createRefresh({
    endpoints: async () => ({ refresh }),
    request,
    token,
    channel: session_channel,
    locks,
    owner: OWNER,
    canRefresh: () => true,
    epoch: server_epoch.latest,
  });
  const call = createCall({
    request,
    token,
    refreshOnce,
    onSignedOut: () => {},
    owner: OWNER,
    onLocked: () => {},
    onWritten: () => {},
    isOnline,
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

  /** Measures again if the clock was set, or the device slept, since the reply: a time in doubt would go out as it is. */
  async function measureClock(): Promise<ClockMeasurement | null> {
    const is_measured = clock.clockReading().age_ms !== null;
    if (is_measured && clock.measurement() === null) await refreshOnce(token.getLatest());
    return clock.measurement();
  }

  return { openSession, call, measureClock };
}
