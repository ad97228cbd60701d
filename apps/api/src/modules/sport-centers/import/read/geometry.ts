import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import type { Position } from '@sendlap/domain/geo.ts';

/**
 * Center of the bounding box, like Overpass' `out center`, so that a way has the same point whether it came with a
 * center, with its nodes or as a polygon. Null without points, or if they are not numbers.
 */
export function midpointOf(points: Position[]): Position | null {
  let [south, west, north, east] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { latitude, longitude } of points) {
    if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) return null;
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  return points.length === 0 ? null : { latitude: (south + north) / 2, longitude: (west + east) / 2 };
}

/** Polygons of a multipolygon have their coordinates at the fourth level. */
const MAX_DEPTH = 4;

/**
 * Returns the center of any GeoJSON geometry; null if it is missing, its coordinates are not numbers, or it is nested
 * deeper than any real one.
 */
export function midpointOfGeometry(geometry: unknown, depth = MAX_DEPTH): Position | null {
  if (!isRecord(geometry) || depth === 0) return null;
  if (Array.isArray(geometry.geometries)) {
    const parts = geometry.geometries.map((part) => midpointOfGeometry(part, depth - 1));
    return midpointOf(parts.filter((part) => part !== null));
  }
  const points: Position[] = [];
  return collectPoints(geometry.coordinates, points, MAX_DEPTH) ? midpointOf(points) : null;
}

function collectPoints(value: unknown, into: Position[], depth: number): boolean {
  if (!Array.isArray(value) || depth === 0) return false;
  if (Array.isArray(value[0])) return value.every((part) => collectPoints(part, into, depth - 1));
  const [longitude, latitude] = value;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return false;
  into.push({ latitude, longitude });
  return true;
}
