import type { Timer } from '#api/platform/timer.ts';
import type { Push } from './push-client.ts';

const PLACES = 64;
/** One push service that hangs, and one user whose ten browsers do, leave room for everybody else. */
const PLACES_OF_ORIGIN = 8;
const PLACES_OF_USER = 4;
const MAX_HELD = 10_000;

/** Whose turn it is: an origin that did not answer in time is left alone for a while. */
export interface PushPlaces {
  /** Whether there is room for any push at all. */
  hasRoom(): boolean;
  /** Gives a place to a push, until `leave`; false where its origin or its user has none left. */
  enter(push: Push): boolean;
  leave(push: Push): void;
  /** Lets nothing more in for this push's origin until the time is over; resolves then. */
  hold(push: Push): Promise<void>;
  under_way: number;
}

export function createPushPlaces(hold_ms: number, timer: Timer): PushPlaces {
  const of_origin = new Map<string, number>();
  const of_user = new Map<string, number>();
  const held = new Set<string>();
  const places: PushPlaces = {
    under_way: 0,
    hasRoom: () => places.under_way < PLACES,
    enter({ origin, subscription: { user_id } }) {
      const is_full =
        held.has(origin) ||
        (of_origin.get(origin) ?? 0) >= PLACES_OF_ORIGIN ||
        (of_user.get(user_id) ?? 0) >= PLACES_OF_USER;
      if (is_full) return false;
      count(of_origin, origin, 1);
      count(of_user, user_id, 1);
      places.under_way += 1;
      return true;
    },
    leave({ origin, subscription: { user_id } }) {
      count(of_origin, origin, -1);
      count(of_user, user_id, -1);
      places.under_way -= 1;
    },
    async hold({ origin }) {
      if (held.has(origin) || held.size >= MAX_HELD) return;
      held.add(origin);
      await new Promise<void>((resolve) => timer.after(hold_ms, resolve));
      held.delete(origin);
    },
  };
  return places;
}

/** How many there are of each; who has none takes no memory. */
export function count(counts: Map<string, number>, key: string, change: number): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
