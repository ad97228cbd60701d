import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { singleFlight } from '#web/shared/api/single-flight.ts';
import type { KioskCalls } from './kiosk-calls.ts';
import { createKioskState, type Pairing } from './kiosk-state.ts';
import type { KioskStore } from './kiosk-store.ts';
import { importDayKeys, type KioskSigner } from './venue-code.ts';

/** The server sends keys for today and seven more days; with this interval they always reach far enough ahead. */
const KEY_REFRESH_INTERVAL_MS = 3_600_000;

interface KioskDeps {
  calls: KioskCalls;
  store: KioskStore;
  /** This device's best estimate of server time, ms epoch. */
  now: () => number;
  /** By default Web Crypto. */
  signer?: KioskSigner | undefined;
}

/** A tablet that is a center's kiosk or is about to become one; outside React, and without a user session. */
export function createKiosk({ calls, store, now, signer }: KioskDeps) {
  const state = createKioskState();
  /** The disk could not be read, so whether the tablet is paired is not known yet. */
  let has_load_failed = false;

  async function load(): Promise<void> {
    const { pairing, board } = await store.load();
    has_load_failed = false;
    if (pairing) state.set({ kind: 'paired', pairing, board, is_reached: true });
    else state.setUnpaired();
  }

  async function tryToLoad(): Promise<void> {
    await load().catch((error: unknown) => {
      has_load_failed = true;
      state.setUnpaired(error);
    });
  }

  async function requestPairing(code: string): Promise<void> {
    // Write to disk first: a tablet that cannot store anything must not use up the code.
    const idempotency_key = await store.getOrCreateAttemptKey(code);
    const { token, center, keys } = await calls.pair(code, idempotency_key);
    const pairing = { token, center, keys: await importDayKeys(keys, signer), keys_at_ms: now() };
    await store.pair(pairing);
    has_load_failed = false;
    state.set({ kind: 'paired', pairing, board: null, is_reached: true });
  }

  /** Pairs the tablet; a failure is stored in the state's `problem`. Never throws. */
  async function pair(code: string): Promise<void> {
    const current = state.get();
    if (current.kind !== 'unpaired' || current.is_pairing) return;
    state.set({ ...current, problem: null, is_pairing: true });
    await requestPairing(code).catch((error: unknown) => state.setUnpaired(error));
  }

  let is_requested = false;
  /** Refreshes again if that was requested during a refresh: the network may return while an attempt fails. */
  const refreshRequested = singleFlight(async () => {
    while (is_requested) {
      is_requested = false;
      const current = state.get();
      if (current.kind === 'paired') await refresh({ calls, store, now, signer, state, load }, current.pairing);
    }
  });

  return {
    getState: state.get,
    subscribe: state.subscribe,
    pair,
    /**
     * Starts from the stored state, then tries `code` if there is one; a kiosk whose new code is refused stays a kiosk.
     */
    async start(code: string | null): Promise<void> {
      await tryToLoad();
      if (code === null) return;
      if (state.get().kind === 'unpaired') return pair(code);
      await requestPairing(code).catch((error: unknown) => console.warn('kiosk', error));
    },
    /** Loads the board, and the keys when they are due; first retries a disk read that failed. Never throws. */
    refresh(): Promise<void> {
      const current = state.get();
      if (current.kind === 'unpaired' && has_load_failed && !current.is_pairing) return tryToLoad();
      is_requested = true;
      return refreshRequested();
    },
    /** Deletes token, keys and board. The operator's `kiosks revoke` also ends them on the server. Never throws. */
    async unpair(): Promise<void> {
      const current = state.get();
      if (current.kind !== 'paired') return;
      state.setUnpaired();
      await store.unpair(current.pairing.token).catch((error: unknown) => state.setUnpaired(error));
    },
  };
}

interface RefreshDeps extends KioskDeps {
  state: ReturnType<typeof createKioskState>;
  /** Loads the state from the disk. */
  load: () => Promise<void>;
}

async function refresh(deps: RefreshDeps, pairing: Pairing): Promise<void> {
  const { store, state } = deps;
  const { token } = pairing;
  try {
    await refreshKeys(deps, pairing);
    await refreshBoard(deps, token);
  } catch (error) {
    if (!isRevocation(error)) {
      if (!isUnreachable(error)) console.warn('kiosk', error);
      return state.changePaired(token, { is_reached: false });
    }
    const current = state.get();
    if (current.kind === 'paired' && current.pairing.token === token) state.setUnpaired(null, true);
    await store.unpair(token).catch((reason: unknown) => console.warn('kiosk', reason));
  }
}

async function refreshKeys({ calls, store, now, signer, state, load }: RefreshDeps, pairing: Pairing): Promise<void> {
  const { token } = pairing;
  const age_ms = now() - pairing.keys_at_ms;
  if (age_ms >= 0 && age_ms < KEY_REFRESH_INTERVAL_MS) return;
  const { center, keys } = await calls.listKeys(token);
  const next = { token, center, keys: await importDayKeys(keys, signer), keys_at_ms: now() };
  if (await store.update(token, { pairing: next })) state.changePaired(token, { pairing: next });
  // Another tab un-paired the tablet, or paired it again.
  else await load();
}

async function refreshBoard({ calls, store, now, state }: RefreshDeps, token: string): Promise<void> {
  const board = { board: await calls.getBoard(token), at_ms: now() };
  state.changePaired(token, { board, is_reached: true });
  // A full disk does not stop the board from being shown.
  await store.update(token, { board }).catch((error: unknown) => console.warn('kiosk board', error));
}

/** Only the server's own error code counts: a 401 from a proxy or a public network does not un-pair the tablet. */
function isRevocation(error: unknown): boolean {
  return error instanceof ApiError && error.backend_error === 'kiosk_unknown';
}
