import { type BoundingBox, distanceKm, type Position } from '@sendlap/domain/geo.ts';
import type { SearchState } from './search-store.ts';

/** What a screen shows as a thing of its own: a town, or a part of the map, which has no name. */
export interface ShownArea extends Position {
  /** Of the town, or `area:latitude,longitude,km`. */
  id: string;
  name: string | null;
  name_es: string | null;
  country: string;
  radius_km: number;
}

const AROUND_KM = 10;
const MIN_KM = 2;
const MAX_KM = 50;
/** About a kilometre: enough for an area, too little to know a door. */
const DIGITS = 2;

/** The town or area of a search; null where words are looked for everywhere. */
export function shownArea({ q, box, origin, radius_km }: SearchState): ShownArea | null {
  if (q.trim() !== '') return null;
  if (box) return toArea(middleOf(box), reachOf(box));
  if (origin.kind === 'place' && origin.place) return origin.place;
  const area = toArea(origin, radius_km ?? AROUND_KM);
  return origin.kind === 'place' ? { ...area, name: origin.name } : area;
}

/** The point in the middle of a box, also of one across the antimeridian. */
export function middleOf({ west, south, east, north }: BoundingBox): Position {
  const width = east < west ? east + 360 - west : east - west;
  const longitude = west + width / 2;
  return { latitude: (south + north) / 2, longitude: longitude > 180 ? longitude - 360 : longitude };
}

/** From the middle of a box to its corner, km. */
function reachOf(box: BoundingBox): number {
  return distanceKm(middleOf(box), { latitude: box.north, longitude: box.east });
}

function toArea(position: Position, reach_km: number): ShownArea {
  const latitude = Number(position.latitude.toFixed(DIGITS));
  const longitude = Number(position.longitude.toFixed(DIGITS));
  const radius_km = Math.min(MAX_KM, Math.max(MIN_KM, Math.ceil(reach_km)));
  const id = `area:${latitude},${longitude},${radius_km}`;
  return { id, name: null, name_es: null, country: '', latitude, longitude, radius_km };
}
