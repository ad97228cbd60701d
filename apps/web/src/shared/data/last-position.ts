import type { Position } from '@sendlap/domain/geo.ts';
import { createListeners } from '#web/shared/lib/store.ts';
import { session } from '../api/client.ts';

/** The device's position that the athlete shared with this app. */
export interface SharedPosition extends Position {
  accuracy_m: number;
  /** When the device measured it, ms epoch of its own clock. */
  measured_at: number;
}

let last: SharedPosition | null = null;
const listeners = createListeners<[SharedPosition]>();

session.onSignedOut(() => {
  last = null;
});

/** Publishes a position that one screen received to all subscribers. */
export function publishPosition(position: SharedPosition): void {
  last = position;
  listeners.notify(position);
}

/** Subscribes to every later position. Returns the function that unsubscribes. */
export const onPosition = listeners.subscribe;

/** Returns the last position since this user signed in; null without one. */
export function getLastPosition(): SharedPosition | null {
  return last;
}
