/** Earth radius in km of the great-circle distance (spec, section 9). */
export const EARTH_RADIUS_KM = 6371;

/** Degrees, WGS 84. */
export interface Position {
  latitude: number;
  longitude: number;
}

/** Degrees. `west > east` means that the box crosses the antimeridian. */
export interface BoundingBox {
  west: number;
  south: number;
  east: number;
  north: number;
}

// Widens a box by about 0.1 mm, so that rounding never drops a point that lies exactly on the circle.
const BOX_MARGIN_DEGREES = 1e-9;

const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
const toDegrees = (radians: number): number => (radians * 180) / Math.PI;

/** Returns true for finite coordinates in range: latitude ±90, longitude ±180. */
export function isPosition(value: unknown): value is Position {
  if (typeof value !== 'object' || value === null) return false;
  const { latitude, longitude } = value as Partial<Record<keyof Position, unknown>>;
  return isWithin(latitude, 90) && isWithin(longitude, 180);
}

function isWithin(value: unknown, limit: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= limit;
}

/** Returns the great-circle distance in km by the haversine formula (R. W. Sinnott, Sky & Telescope, 1984). */
export function distanceKm(a: Position, b: Position): number {
  const halfLatitude = toRadians(b.latitude - a.latitude) / 2;
  const halfLongitude = toRadians(b.longitude - a.longitude) / 2;
  const h =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(toRadians(a.latitude)) * Math.cos(toRadians(b.latitude)) * Math.sin(halfLongitude) ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/**
 * Returns the smallest box that contains every point within `radius_km` of the center. A circle that contains a pole
 * gets all longitudes; one across the antimeridian gets `west > east`.
 * Formula: J. Matuschek, "Finding points within a distance of a latitude/longitude using bounding coordinates".
 */
export function boundingBox(center: Position, radius_km: number): BoundingBox {
  const angle = Math.max(0, radius_km) / EARTH_RADIUS_KM;
  const spread = toDegrees(angle) + BOX_MARGIN_DEGREES;
  const south = Math.max(-90, center.latitude - spread);
  const north = Math.min(90, center.latitude + spread);
  if (south === -90 || north === 90) return { west: -180, south, east: 180, north };
  const sine = Math.sin(angle) / Math.cos(toRadians(center.latitude));
  const half = toDegrees(Math.asin(Math.min(1, sine))) + BOX_MARGIN_DEGREES;
  return { west: wrapLongitude(center.longitude - half), south, east: wrapLongitude(center.longitude + half), north };
}

function wrapLongitude(longitude: number): number {
  if (longitude < -180) return longitude + 360;
  return longitude > 180 ? longitude - 360 : longitude;
}

/** Returns true if the position is in the box or on its edge, also for boxes across the antimeridian. */
export function isInBox(position: Position, box: BoundingBox): boolean {
  const { latitude, longitude } = position;
  if (latitude < box.south || latitude > box.north) return false;
  return box.west <= box.east
    ? longitude >= box.west && longitude <= box.east
    : longitude >= box.west || longitude <= box.east;
}

/** Returns a new list, nearest first, equal distances by id; each item gets its `distance_km`. */
export function sortByDistance<Item extends Position & { id: string }>(
  items: readonly Item[],
  from: Position,
): (Item & { distance_km: number })[] {
  return items
    .map((item) => ({ ...item, distance_km: distanceKm(from, item) }))
    .sort((a, b) => a.distance_km - b.distance_km || (a.id < b.id ? -1 : 1));
}
