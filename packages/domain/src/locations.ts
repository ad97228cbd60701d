/** Within this distance of a center an athlete counts as being there (km). */
export const PRESENCE_RADIUS_KM = 0.15;
/** Maximum accuracy radius, in metres, of a position that assigns an athlete to a center: the same as the distance. */
export const PRESENCE_MAX_ACCURACY_M = 150;
/** Distance of "nearby people" from a center (km; spec, section 9). */
export const NEARBY_PEOPLE_RADIUS_KM = 0.1;
/** How long a location counts, and is stored. */
export const LOCATION_LIFETIME_MS = 2 * 3_600_000;
/** How far a device's clock may be ahead of the server's. */
export const LOCATION_CLOCK_TOLERANCE_MS = 5 * 60_000;
/** Minimum age, in years, to let friends see where the athlete trains. */
export const PRESENCE_MIN_AGE = 16;

/** Returns true while a location counts: less than two hours after the device measured it. */
export function isFreshLocation(located_at_ms: number, now_ms: number): boolean {
  return now_ms - located_at_ms < LOCATION_LIFETIME_MS;
}

/** Returns true for a plausible time of a location: not older than its lifetime, nor too far ahead of our clock. */
export function isPlausibleLocationTime(located_at_ms: number, now_ms: number): boolean {
  return isFreshLocation(located_at_ms, now_ms) && located_at_ms - now_ms <= LOCATION_CLOCK_TOLERANCE_MS;
}

/** Returns whether a position of this accuracy (metres, null: unknown) can assign an athlete to a center. */
export function isAccurateEnough(accuracy_m: number | null): boolean {
  return accuracy_m === null || accuracy_m <= PRESENCE_MAX_ACCURACY_M;
}

/** Returns whether friends may see an athlete of this age (years, null: unknown) at all. */
export function canSharePresence(age: number | null): boolean {
  return age === null || age >= PRESENCE_MIN_AGE;
}

/** Returns true for the "nearby people" of a center, by their distance to it in km. */
export function isNearby(distance_km: number): boolean {
  return distance_km <= NEARBY_PEOPLE_RADIUS_KM;
}

/** The facts that decide whether friends see a user at the center of the user's location. */
export interface PresenceFacts {
  /** The user switched it on. */
  presence: boolean;
  /** Years, null: unknown. */
  age: number | null;
  /** Distance from the center, in km. */
  distance_km: number;
  located_at_ms: number;
}

/**
 * Returns true if friends see this user at the center: sharing is on, and the user is old enough, near enough, and was
 * so recently.
 */
export function isPresent({ presence, age, distance_km, located_at_ms }: PresenceFacts, now_ms: number): boolean {
  return (
    presence && canSharePresence(age) && distance_km <= PRESENCE_RADIUS_KM && isFreshLocation(located_at_ms, now_ms)
  );
}
