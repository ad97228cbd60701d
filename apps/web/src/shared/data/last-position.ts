import type { Position } from '@sendlap/domain/geo.ts';
import { session } from '../api/client.ts';

/** Where the athlete let this app know that the device is. */
export interface SharedPosition extends Position {
  accuracy_m: number;
  /** When the device knew it, ms epoch of its own clock. */
  known_at: number;
}

type Listener = (position: SharedPosition) => void;

let last: SharedPosition | null = null;
const listeners = new Set<Listener>();

session.onSignedOut(() => {
  last = null;
});

/** Tells everybody who may use it of a position that was given to one screen. Kept in memory only. */
export function announcePosition(position: SharedPosition): void {
  last = position;
  for (const listener of listeners) listener(position);
}

/** Hears of every position from now on; returns what ends that. */
export function onPosition(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The last position since this user is here, null when none was given. */
export function lastPosition(): SharedPosition | null {
  return last;
}
