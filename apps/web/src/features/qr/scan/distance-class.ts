import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { PRESENCE_RADIUS_KM } from '@sendlap/domain/locations.ts';
import type { SharedPosition } from '#web/shared/data/last-position.ts';
import type { DistanceClass } from './scan-op.ts';

/** A building and its streets around: near enough to have walked out of the center. */
const NEAR_KM = 1;
/** Who was there longer ago may have left. */
const MAX_AGE_MS = 15 * 60_000;

/**
 * How near the scanner is to the center, which is all that the server is told: never where. `unknown` without a
 * position of the last 15 minutes or where the device does not know the center. Times are this device's, ms epoch.
 */
export function distanceClassOf(
  position: SharedPosition | null,
  center: Position | null,
  now_ms: number,
): DistanceClass {
  if (!position || !center || now_ms - position.known_at > MAX_AGE_MS) return 'unknown';
  const km = distanceKm(position, center);
  // In favour of the scanner: a vague position that may be at the center counts as there.
  const nearest_km = km - position.accuracy_m / 1000;
  if (nearest_km <= PRESENCE_RADIUS_KM) return 'at';
  return nearest_km <= NEAR_KM ? 'near' : 'far';
}
