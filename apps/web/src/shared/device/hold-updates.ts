import { useEffect, useSyncExternalStore } from 'react';

let holds = 0;
const listeners = new Set<() => void>();

function change(by: 1 | -1): void {
  holds += by;
  for (const listener of listeners) listener();
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
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => holds > 0,
  );
}
