import type { Position } from '@sendlap/domain/geo.ts';
import { isRecord } from './json-record.ts';

/**
 * The middle of the bounding box, as Overpass' `out center` gives it, so that the same way has the same point whether
 * it came with a center, with its nodes or as a polygon. Null for no points or points that are not numbers.
 */
export function middleOf(points: Position[]): Position | null {
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

/** The middle of any GeoJSON geometry; null where there is none or its coordinates are not numbers. */
export function middleOfGeometry(geometry: unknown): Position | null {
  if (!isRecord(geometry)) return null;
  if (Array.isArray(geometry.geometries)) {
    const parts = geometry.geometries.map(middleOfGeometry);
    return middleOf(parts.filter((part) => part !== null));
  }
  const points: Position[] = [];
  return collect(geometry.coordinates, points) ? middleOf(points) : null;
}

function collect(value: unknown, into: Position[]): boolean {
  if (!Array.isArray(value)) return false;
  if (Array.isArray(value[0])) return value.every((part) => collect(part, into));
  const [longitude, latitude] = value;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return false;
  into.push({ latitude, longitude });
  return true;
}
