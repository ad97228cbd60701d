import { useSyncExternalStore } from 'react';
import { live } from './client.ts';

/**
 * Whether queries that the stream keeps up to date may be read: not for a moment at the start, while the stream opens.
 */
export function useLiveReady(): boolean {
  return !useSyncExternalStore(live.opening.subscribe, live.opening.isInProgress);
}
