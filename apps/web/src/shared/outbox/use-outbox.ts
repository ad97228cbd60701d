import { useSyncExternalStore } from 'react';
import { outbox } from './client.ts';
import type { OutboxSnapshot } from './snapshot.ts';

/** The signed-in user's outbox on this device, kept up to date across all tabs. */
export function useOutbox(): OutboxSnapshot {
  return useSyncExternalStore(outbox.subscribe, outbox.getSnapshot, outbox.getSnapshot);
}
