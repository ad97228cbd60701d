import { useSyncExternalStore } from 'react';
import { outbox } from './client.ts';
import type { OutboxSnapshot } from './snapshot.ts';

/** What waits on this device for the signed-in user, kept up to date over all tabs. */
export function useOutbox(): OutboxSnapshot {
  return useSyncExternalStore(outbox.subscribe, outbox.getSnapshot, outbox.getSnapshot);
}
