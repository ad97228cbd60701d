/** How near a center somebody is who counts as being there (km). */
export const PRESENCE_RADIUS_KM = 0.15;
/** How exactly a position must be known to say at which center it is, in metres: as near as one has to be. */
export const PRESENCE_MAX_ACCURACY_M = 150;
/** How near a center "nearby people" are (km; spec, section 9). */
export const NEARBY_PEOPLE_RADIUS_KM = 0.1;
/** For how long a location counts, and is kept. */
export const LOCATION_LIFETIME_MS = 2 * 3_600_000;
/** How far the clock of a device may be ahead of the server's. */
export const LOCATION_CLOCK_TOLERANCE_MS = 5 * 60_000;
/** The youngest who may let friends see where they train, in years. */
export const PRESENCE_MIN_AGE = 16;

/** True while a location counts: less than two hours after the device knew it. */
export function isFreshLocation(located_at_ms: number, now_ms: number): boolean {
  return now_ms - located_at_ms < LOCATION_LIFETIME_MS;
}

/** True for a moment at which a location may have been known: not longer ago than it counts, nor ahead of our clock. */
export function isLocationTime(located_at_ms: number, now_ms: number): boolean {
  return isFreshLocation(located_at_ms, now_ms) && located_at_ms - now_ms <= LOCATION_CLOCK_TOLERANCE_MS;
}

/** Whether a position of this accuracy (metres, null: not said) says at which center it is. */
export function isExactEnough(accuracy_m: number | null): boolean {
  return accuracy_m === null || accuracy_m <= PRESENCE_MAX_ACCURACY_M;
}

/** Whether somebody of this age (years, null: not said) may be seen by friends at all. */
export function maySharePresence(age: number | null): boolean {
  return age === null || age >= PRESENCE_MIN_AGE;
}

/** True for the "nearby people" of a center, by their distance to it in km. */
export function isNearby(distance_km: number): boolean {
  return distance_km <= NEARBY_PEOPLE_RADIUS_KM;
}

/** What decides whether a friend is seen at the center that their location is at. */
export interface PossiblePresence {
  /** Switched on by them. */
  presence: boolean;
  /** Years, null: not said. */
  age: number | null;
  /** From the center, in km. */
  distance_km: number;
  located_at_ms: number;
}

/** True when friends see this person at the center: they want it, are old enough, near enough, and were so lately. */
export function isPresent({ presence, age, distance_km, located_at_ms }: PossiblePresence, now_ms: number): boolean {
  return (
    presence && maySharePresence(age) && distance_km <= PRESENCE_RADIUS_KM && isFreshLocation(located_at_ms, now_ms)
  );
}
