import type { getKioskBoard, listKioskKeys } from '@sendlap/contract/kiosks.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import { createStore } from '#web/shared/lib/store.ts';
import type { DayKey } from './venue-code.ts';

/** The pairing that makes this tablet a center's kiosk. */
export interface Pairing {
  token: string;
  center: Reply<typeof listKioskKeys>['center'];
  keys: DayKey[];
  /** When the keys were received (ms epoch, server time). */
  keys_at_ms: number;
}

/** This week's board as of `at_ms` (ms epoch, server time). */
export interface KioskBoard {
  board: Reply<typeof getKioskBoard>;
  at_ms: number;
}

export interface Unpaired {
  kind: 'unpaired';
  /** Why the last code was refused, or why reading or deleting failed; null: no failure. */
  problem: unknown;
  /** The tablet was a kiosk until the server revoked it. */
  is_revoked: boolean;
  is_pairing: boolean;
}

export interface Paired {
  kind: 'paired';
  pairing: Pairing;
  /** null: no board has been loaded yet. */
  board: KioskBoard | null;
  /** Whether the server answered the last request. */
  is_reached: boolean;
}

export type KioskState = { kind: 'starting' } | Unpaired | Paired;

export function createKioskState() {
  const { getState: get, setState: set, subscribe } = createStore<KioskState>({ kind: 'starting' });
  return {
    get,
    set,
    setUnpaired: (problem: unknown = null, is_revoked = false) =>
      set({ kind: 'unpaired', problem, is_revoked, is_pairing: false }),
    /** Changes the kiosk with this token; a no-op if the tablet has been re-paired or un-paired since. */
    changePaired(token: string, change: Partial<Omit<Paired, 'kind'>>): void {
      const state = get();
      if (state.kind === 'paired' && state.pairing.token === token) set({ ...state, ...change });
    },
    subscribe,
  };
}
