import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import type { BioInfoValues } from '@sendlap/domain/bio-info-form.ts';
import {
  type BioInfoEvent,
  type BioInfoState,
  bioInfoReducer,
  INITIAL_BIO_INFO,
} from '@sendlap/domain/bio-info-machine.ts';

export type BioInfoFlowState = BioInfoState<BioInfo, BioInfoValues>;

export interface BioInfoStore {
  getState(): BioInfoFlowState;
  dispatch(event: BioInfoEvent<BioInfo, BioInfoValues>): void;
  subscribe(listener: () => void): () => void;
}

/** The machine's state, in the shape that useSyncExternalStore wants. */
export function createBioInfoStore(): BioInfoStore {
  let state: BioInfoFlowState = INITIAL_BIO_INFO;
  const listeners = new Set<() => void>();
  return {
    getState: () => state,
    dispatch(event) {
      const next = bioInfoReducer(state, event);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
