import { useSyncExternalStore } from 'react';
import { serverClock } from '#web/shared/api/client.ts';
import { createKiosk } from './kiosk.ts';
import { kioskCalls } from './kiosk-calls.ts';
import type { KioskState } from './kiosk-state.ts';
import { kioskStore } from './kiosk-store.ts';

export const kiosk = createKiosk({ calls: kioskCalls, store: kioskStore, now: () => serverClock.correctedNow() });

export function useKiosk(): KioskState {
  return useSyncExternalStore(kiosk.subscribe, kiosk.getState);
}
