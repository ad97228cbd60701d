import { EARTH_RADIUS_KM, type Position } from '@sendlap/domain/geo.ts';
import { type Bounds, EAST, NORTH, SOUTH, WEST } from './box.ts';

/** The tree has its positions as 32-bit floats, at most 1.2 m off; what is nearer to a rim is decided by the exact ones. */
export const MARGIN_KM = 0.005;
const RADIANS = Math.PI / 180;
const HALF_RADIANS = RADIANS / 2;

/** Haversines stand for distances here (h = sin² of half the angle): they grow with them and spare the arc sine. */
export function haversineOfKm(distance_km: number): number {
  const angle = Math.min(Math.PI, Math.max(0, distance_km) / EARTH_RADIUS_KM);
  return Math.sin(angle / 2) ** 2;
}

/** A position with what is needed again and again. */
export interface Origin extends Position {
  sine: number;
  cosine: number;
}

export function originAt({ latitude, longitude }: Position): Origin {
  const angle = latitude * RADIANS;
  return { latitude, longitude, sine: Math.sin(angle), cosine: Math.cos(angle) };
}

export function haversine(from: Origin, longitude: number, latitude: number): number {
  const east = sine((longitude - from.longitude) * HALF_RADIANS);
  const north = sine((latitude - from.latitude) * HALF_RADIANS);
  const square = north * north;
  // The cosine of the latitude, by the sum of angles from the one that is known.
  const cosine = from.cosine * (1 - 2 * square) - from.sine * 2 * north * Math.sqrt(1 - square);
  return square + from.cosine * cosine * east * east;
}

/** Of parts that stretch farther north or south, what lies beyond is told apart by its latitude alone. */
const REACH_DEGREES = 10;
const REACH_HAVERSINE = Math.sin(REACH_DEGREES * HALF_RADIANS) ** 2;

/** At most the haversine to any point of the bounds: of the way north and of the way east each its least. */
export function nearestHaversine(from: Origin, bounds: Bounds): number {
  const { latitude, longitude } = from;
  const west = bounds[WEST] ?? 0;
  const south = bounds[SOUTH] ?? 0;
  const east = bounds[EAST] ?? 0;
  const north = bounds[NORTH] ?? 0;
  const gap = latitude < south ? south - latitude : latitude > north ? latitude - north : 0;
  const northHaversine = sine(gap * HALF_RADIANS) ** 2;
  if ((longitude >= west && longitude <= east) || gap >= REACH_DEGREES) return northHaversine;
  const across = Math.min(sine((longitude - west) * HALF_RADIANS) ** 2, sine((longitude - east) * HALF_RADIANS) ** 2);
  const lowest = Math.max(south, latitude - REACH_DEGREES);
  const highest = Math.min(north, latitude + REACH_DEGREES);
  const narrowest = Math.cos(Math.max(Math.abs(lowest), Math.abs(highest)) * RADIANS);
  const near = northHaversine + from.cosine * narrowest * across;
  return lowest === south && highest === north ? near : Math.min(near, REACH_HAVERSINE);
}

/** At least the haversine to any point of the bounds: of the way north and of the way east each its most. */
export function farthestHaversine(from: Origin, bounds: Bounds): number {
  const { latitude, longitude } = from;
  const west = bounds[WEST] ?? 0;
  const south = bounds[SOUTH] ?? 0;
  const east = bounds[EAST] ?? 0;
  const north = bounds[NORTH] ?? 0;
  const across = Math.max(Math.abs(longitude - west), Math.abs(longitude - east));
  const eastHaversine = across > 180 ? 1 : sine(across * HALF_RADIANS) ** 2;
  const widest = south > 0 ? south : north < 0 ? north : 0;
  const northHaversine = sine(Math.max(north - latitude, latitude - south) * HALF_RADIANS) ** 2;
  return northHaversine + from.cosine * Math.cos(widest * RADIANS) * eastHaversine;
}

/** Up to 0.1, some 6°, its series is exact to 13 digits, and ten times as fast: most of what a search looks at is near. */
function sine(angle: number): number {
  if (angle > 0.1 || angle < -0.1) return Math.sin(angle);
  const square = angle * angle;
  return angle - angle * square * (1 / 6 - square * (1 / 120 - square * (1 / 5040)));
}
