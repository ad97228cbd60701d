import { useSyncExternalStore } from 'react';
import { outbox } from '#web/shared/outbox/client.ts';
import { panel } from './panel.ts';
import { isAnyUnsent } from './unsent.ts';

/** Whether something that I wrote has not been sent, kept up to date. */
export function useUnsent(): boolean {
  return useSyncExternalStore(follow, () => isAnyUnsent(panel, outbox));
}

function follow(listener: () => void): () => void {
  const stops = [panel.subscribe(listener), outbox.subscribe(listener)];
  return () => {
    for (const stop of stops) stop();
  };
}
