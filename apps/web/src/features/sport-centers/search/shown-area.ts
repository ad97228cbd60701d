import { type BoundingBox, distanceKm, type Position } from '@sendlap/domain/geo.ts';
import type { SearchState } from './search-store.ts';
import { hasRegion } from './search-url.ts';

/** A named or mapped area on the screen: a town, or a part of the map, which has no name. */
export interface ShownArea extends Position {
  /** The town's id, or `area:latitude,longitude,km`. */
  id: string;
  name: string | null;
  name_es: string | null;
  country: string;
  radius_km: number;
}

const AROUND_KM = 10;
const MIN_KM = 2;
const MAX_KM = 50;
/** About a kilometre: precise enough for an area, too coarse to reveal an address. */
const DIGITS = 2;

/** The town or area of a search; null for a text, a country or a city, which are not limited to an area. */
export function shownArea(search: SearchState): ShownArea | null {
  const { q, box, origin, radius_km } = search;
  if (q.trim() !== '') return null;
  if (box) return toArea(middleOf(box), halfDiagonalKm(box));
  if (hasRegion(search)) return null;
  if (origin.kind === 'town' && origin.town) return origin.town;
  const area = toArea(origin, radius_km ?? AROUND_KM);
  return origin.kind === 'town' ? { ...area, name: origin.name } : area;
}

/** The middle of a box, also of one across the antimeridian. */
export function middleOf({ west, south, east, north }: BoundingBox): Position {
  const width = east < west ? east + 360 - west : east - west;
  const longitude = west + width / 2;
  return { latitude: (south + north) / 2, longitude: longitude > 180 ? longitude - 360 : longitude };
}

/** Distance from the middle of a box to its corner, km. */
function halfDiagonalKm(box: BoundingBox): number {
  return distanceKm(middleOf(box), { latitude: box.north, longitude: box.east });
}

function toArea(position: Position, reach_km: number): ShownArea {
  const latitude = Number(position.latitude.toFixed(DIGITS));
  const longitude = Number(position.longitude.toFixed(DIGITS));
  const radius_km = Math.min(MAX_KM, Math.max(MIN_KM, Math.ceil(reach_km)));
  const id = `area:${latitude},${longitude},${radius_km}`;
  return { id, name: null, name_es: null, country: '', latitude, longitude, radius_km };
}
