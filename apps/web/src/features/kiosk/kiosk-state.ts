import type { Reply } from '@sendlap/contract/endpoint.ts';
import type { getKioskBoard, listKioskKeys } from '@sendlap/contract/kiosks.ts';
import type { DayKey } from './venue-code.ts';

/** What makes this tablet a center's kiosk. */
export interface Pairing {
  token: string;
  center: Reply<typeof listKioskKeys>['center'];
  keys: DayKey[];
  /** ms epoch, server time: when the keys came. */
  keys_at_ms: number;
}

/** This week's board, as it was at `at_ms` (ms epoch, server time). */
export interface KioskBoard {
  board: Reply<typeof getKioskBoard>;
  at_ms: number;
}

export interface Unpaired {
  kind: 'unpaired';
  /** Why the last code was refused, or why nothing could be read or deleted; null: nothing went wrong. */
  problem: unknown;
  /** It was a kiosk until the server said no. */
  is_revoked: boolean;
  is_pairing: boolean;
}

export interface Paired {
  kind: 'paired';
  pairing: Pairing;
  /** null: none has come yet. */
  board: KioskBoard | null;
  /** The server answered the last time it was asked. */
  is_reached: boolean;
}

export type KioskState = { kind: 'starting' } | Unpaired | Paired;

/** The state outside React, in the shape that useSyncExternalStore wants. */
export function createKioskState() {
  let state: KioskState = { kind: 'starting' };
  const listeners = new Set<() => void>();
  const set = (next: KioskState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  return {
    get: (): KioskState => state,
    set,
    setUnpaired: (problem: unknown = null, is_revoked = false) =>
      set({ kind: 'unpaired', problem, is_revoked, is_pairing: false }),
    /** Changes the kiosk of this token; a tablet that is something else by now stays that. */
    changePaired(token: string, change: Partial<Omit<Paired, 'kind'>>): void {
      if (state.kind === 'paired' && state.pairing.token === token) set({ ...state, ...change });
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
