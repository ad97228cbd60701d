import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from '#web/shared/lib/store.ts';

const holds = createStore(0);

function change(by: 1 | -1): void {
  holds.setState(holds.getState() + by);
}

/** While `busy` (an activity runs, a message is unsent) no card offers an update or an installation. */
export function useHoldUpdates(busy: boolean): void {
  useEffect(() => {
    if (!busy) return;
    change(1);
    return () => change(-1);
  }, [busy]);
}

export function useUpdatesHeld(): boolean {
  return useSyncExternalStore(holds.subscribe, () => holds.getState() > 0);
}
