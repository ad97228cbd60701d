import { useSyncExternalStore } from 'react';
import { sealedWork } from './client.ts';
import type { SealedWorkState } from './sealed-work.ts';

/** Sealed work on this device, as far as it concerns the signed-in user. */
export function useSealedWork(): SealedWorkState {
  return useSyncExternalStore(sealedWork.subscribe, sealedWork.getState, sealedWork.getState);
}
