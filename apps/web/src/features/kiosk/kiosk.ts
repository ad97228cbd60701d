import { ApiError, isUnreachable } from '#web/shared/api/errors.ts';
import { singleFlight } from '#web/shared/api/single-flight.ts';
import type { KioskCalls } from './kiosk-calls.ts';
import { createKioskState, type Pairing } from './kiosk-state.ts';
import type { KioskStore } from './kiosk-store.ts';
import { importDayKeys } from './venue-code.ts';

/** Keys come for today and seven more days; asked for so often, they reach far enough ahead. */
const KEYS_EVERY_MS = 3_600_000;

interface KioskDeps {
  calls: KioskCalls;
  store: KioskStore;
  /** Server time as well as this device knows it, ms epoch. */
  now: () => number;
}

/** A tablet that is a center's kiosk, or is about to become one; outside React, and without anybody's session. */
export function createKiosk({ calls, store, now }: KioskDeps) {
  const state = createKioskState();
  /** The disk could not be read: what the tablet is, is not known yet. */
  let is_unread = false;

  async function load(): Promise<void> {
    const { pairing, board } = await store.load();
    is_unread = false;
    if (pairing) state.set({ kind: 'paired', pairing, board, is_reached: true });
    else state.setUnpaired();
  }

  async function tryToLoad(): Promise<void> {
    await load().catch((error: unknown) => {
      is_unread = true;
      state.setUnpaired(error);
    });
  }

  async function askToPair(code: string): Promise<void> {
    // On the disk first: a tablet that keeps nothing must not use up the code.
    const idempotency_key = await store.keyOfAttempt(code);
    const { token, center, keys } = await calls.pair(code, idempotency_key);
    const pairing = { token, center, keys: await importDayKeys(keys), keys_at_ms: now() };
    await store.pair(pairing);
    is_unread = false;
    state.set({ kind: 'paired', pairing, board: null, is_reached: true });
  }

  /** Makes the tablet a kiosk; why it did not work is the state's `problem`. Never throws. */
  async function pair(code: string): Promise<void> {
    const current = state.get();
    if (current.kind !== 'unpaired' || current.is_pairing) return;
    state.set({ ...current, problem: null, is_pairing: true });
    await askToPair(code).catch((error: unknown) => state.setUnpaired(error));
  }

  const refreshOnce = singleFlight(async () => {
    const current = state.get();
    if (current.kind === 'paired') await refresh({ calls, store, now, state, load }, current.pairing);
  });

  return {
    getState: state.get,
    subscribe: state.subscribe,
    pair,
    /** Begins with what is on the disk. A code that comes along is tried; a kiosk whose new code is refused stays one. */
    async start(code: string | null): Promise<void> {
      await tryToLoad();
      if (code === null) return;
      if (state.get().kind === 'unpaired') return pair(code);
      await askToPair(code).catch((error: unknown) => console.warn('kiosk', error));
    },
    /** Asks for the board, and for the keys where they are due; reads a disk again that could not be read. Never throws. */
    refresh(): Promise<void> {
      const current = state.get();
      if (current.kind === 'unpaired' && is_unread && !current.is_pairing) return tryToLoad();
      return refreshOnce();
    },
    /** Forgets token, keys and board. The operator's `kiosks revoke` ends them at the server too. Never throws. */
    async unpair(): Promise<void> {
      const current = state.get();
      if (current.kind !== 'paired') return;
      state.setUnpaired();
      await store.forget(current.pairing.token).catch((error: unknown) => state.setUnpaired(error));
    },
  };
}

interface RefreshDeps extends KioskDeps {
  state: ReturnType<typeof createKioskState>;
  /** Shows what is on the disk. */
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
    await store.forget(token).catch((reason: unknown) => console.warn('kiosk', reason));
  }
}

async function refreshKeys({ calls, store, now, state, load }: RefreshDeps, pairing: Pairing): Promise<void> {
  const { token } = pairing;
  const age_ms = now() - pairing.keys_at_ms;
  if (age_ms >= 0 && age_ms < KEYS_EVERY_MS) return;
  const { center, keys } = await calls.listKeys(token);
  const next = { token, center, keys: await importDayKeys(keys), keys_at_ms: now() };
  if (await store.update(token, { pairing: next })) state.changePaired(token, { pairing: next });
  // Another tab un-paired the tablet, or paired it anew.
  else await load();
}

async function refreshBoard({ calls, store, now, state }: RefreshDeps, token: string): Promise<void> {
  const board = { board: await calls.getBoard(token), at_ms: now() };
  state.changePaired(token, { board, is_reached: true });
  // The board on the screen is good also where the disk is full.
  await store.update(token, { board }).catch((error: unknown) => console.warn('kiosk board', error));
}

/** Only the server's own word for it: the 401 of a proxy or a public network un-pairs no tablet. */
function isRevocation(error: unknown): boolean {
  return error instanceof ApiError && error.backend_error === 'kiosk_unknown';
}
