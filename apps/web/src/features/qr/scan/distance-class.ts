import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { PRESENCE_RADIUS_KM } from '@sendlap/domain/locations.ts';
import type { SharedPosition } from '#web/shared/data/last-position.ts';
import type { DistanceClass } from './scan-op.ts';

/** The building and the streets around it: a user who has just walked out of the center. */
const NEAR_KM = 1;
/** An older position is useless: the user may have moved. */
const MAX_AGE_MS = 15 * 60_000;

/**
 * How near the scanning user is to the center: only this class is sent to the server, never the position. `unknown`
 * without a position of the last 15 minutes, or if this device does not know the center. Times are device time, ms
 * epoch.
 */
export function distanceClassOf(
  position: SharedPosition | null,
  center: Position | null,
  now_ms: number,
): DistanceClass {
  if (!position || !center || now_ms - position.measured_at > MAX_AGE_MS) return 'unknown';
  const km = distanceKm(position, center);
  // In the user's favour: an inaccurate position that may be at the center counts as there.
  const nearest_km = km - position.accuracy_m / 1000;
  if (nearest_km <= PRESENCE_RADIUS_KM) return 'at';
  return nearest_km <= NEAR_KM ? 'near' : 'far';
}
