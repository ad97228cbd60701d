import { EARTH_RADIUS_KM, type Position } from '@sendlap/domain/geo.ts';
import { type Bounds, EAST, NORTH, SOUTH, WEST } from './box.ts';

/** What is so near to a rim is decided by `distanceKm`: far away, a haversine says less than half a metre by rounding alone. */
export const MARGIN_KM = 0.005;
const RADIANS = Math.PI / 180;
/** Up to this angle, some 6°, the series below are exact to the last digit, and faster: most of what is looked at is near. */
const NEAR_RADIANS = 0.1;

/** Haversines stand for distances here (h = sin² of half the angle): they grow with them and spare the arc sine. */
export function haversineOfKm(distance_km: number): number {
  const angle = Math.max(0, distance_km) / EARTH_RADIUS_KM;
  // Nothing is farther than half around the earth, whatever the rounding of its haversine.
  return angle < Math.PI ? Math.sin(angle / 2) ** 2 : Number.POSITIVE_INFINITY;
}

/** A position with what is needed again and again. */
export interface Origin extends Position {
  sine: number;
  cosine: number;
}

/** Up to this radius, this far from the poles and away from the antimeridian, `flatHaversine` is right within a metre. */
const FLAT_KM = 25;
const FLAT_LATITUDE = 75;
/** What is asked about may lie so much farther north or south. */
const FLAT_REACH_DEGREES = 1;

/** Whether a circle may be compared with `flatHaversine`. */
export function isFlat({ latitude, longitude, cosine }: Origin, radius_km: number): boolean {
  const reach = radius_km / EARTH_RADIUS_KM / RADIANS / cosine;
  return radius_km <= FLAT_KM && Math.abs(latitude) <= FLAT_LATITUDE && Math.abs(longitude) + 2 * reach < 180;
}

/** Whether all of the bounds lies where `flatHaversine` may be asked. */
export function isLevel({ latitude }: Origin, bounds: Bounds): boolean {
  const south = bounds[SOUTH] ?? 0;
  const north = bounds[NORTH] ?? 0;
  return south > latitude - FLAT_REACH_DEGREES && north < latitude + FLAT_REACH_DEGREES;
}

const FLAT = RADIANS ** 2 / 4;

/** Nearly the haversine, as on a map whose scale grows evenly northwards; several times as fast. */
export function flatHaversine(from: Origin, longitude: number, latitude: number): number {
  const north = latitude - from.latitude;
  const east = longitude - from.longitude;
  const cosine = from.cosine - from.sine * north * RADIANS;
  return FLAT * (north * north + from.cosine * cosine * east * east);
}

export function originAt({ latitude, longitude }: Position): Origin {
  const angle = latitude * RADIANS;
  return { latitude, longitude, sine: Math.sin(angle), cosine: Math.cos(angle) };
}

export function haversine(from: Origin, longitude: number, latitude: number): number {
  const north = (latitude - from.latitude) * RADIANS;
  return haversineOf(north) + from.cosine * cosineAt(from, north) * haversineOf((longitude - from.longitude) * RADIANS);
}

/** Of parts that stretch farther north or south, what lies beyond is told apart by its latitude alone. */
const REACH_DEGREES = 10;
const REACH_HAVERSINE = haversineOf(REACH_DEGREES * RADIANS);

/** At most the haversine to any point of the bounds: of the way north and of the way east each its least. */
export function nearestHaversine(from: Origin, bounds: Bounds): number {
  const { latitude, longitude } = from;
  const west = bounds[WEST] ?? 0;
  const south = bounds[SOUTH] ?? 0;
  const east = bounds[EAST] ?? 0;
  const north = bounds[NORTH] ?? 0;
  const gap = latitude < south ? south - latitude : latitude > north ? latitude - north : 0;
  const northHaversine = haversineOf(gap * RADIANS);
  if ((longitude >= west && longitude <= east) || gap >= REACH_DEGREES) return northHaversine;
  const across = Math.min(haversineOf((longitude - west) * RADIANS), haversineOf((longitude - east) * RADIANS));
  const lowest = Math.max(south, latitude - REACH_DEGREES);
  const highest = Math.min(north, latitude + REACH_DEGREES);
  // The cosine is least at the end that lies farther from the equator.
  const end = -lowest > highest ? lowest : highest;
  const near = northHaversine + from.cosine * cosineAt(from, (end - latitude) * RADIANS) * across;
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
  const eastHaversine = across > 180 ? 1 : haversineOf(across * RADIANS);
  const widest = south > 0 ? south : north < 0 ? north : 0;
  const northHaversine = haversineOf(Math.max(north - latitude, latitude - south) * RADIANS);
  return northHaversine + from.cosine * cosineAt(from, (widest - latitude) * RADIANS) * eastHaversine;
}

/** The square of the sine of half the angle. */
function haversineOf(angle: number): number {
  if (angle > NEAR_RADIANS || angle < -NEAR_RADIANS) return Math.sin(angle / 2) ** 2;
  const square = angle * angle;
  return square * (1 / 4 - square * (1 / 48 - square * (1 / 1440 - square * (1 / 80_640))));
}

/** The cosine of the latitude so far north of the origin: of the sum of two angles. */
function cosineAt(from: Origin, north: number): number {
  if (north > NEAR_RADIANS || north < -NEAR_RADIANS) return Math.cos(from.latitude * RADIANS + north);
  const square = north * north;
  const cosine = 1 - square * (1 / 2 - square * (1 / 24 - square * (1 / 720 - square * (1 / 40_320))));
  const sine = 1 - square * (1 / 6 - square * (1 / 120 - square * (1 / 5040)));
  return from.cosine * cosine - from.sine * north * sine;
}
