import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { type BoundingBox, boundingBox, type Position } from '@sendlap/domain/geo.ts';
import { foldText } from '@sendlap/domain/names.ts';
import type { CenterSearch } from './queries.ts';

/** How many of the nearest centers the first view includes. */
const IN_VIEW = 12;
/** Up to this many centers in a radius, the view fits the centers; beyond, the first page is not all of them. */
const CLOSE_LOOK = 50;
const MIN_BOX_KM = 1;
/** A center farther than this factor times the third nearest is treated as another place. */
const FAR_FACTOR = 3;

/** Returns the box that the map shows for a search; null until the search is answered, or if it found nothing. */
export function boxOfSearch(
  { from, q, radius_km, box }: Pick<CenterSearch, 'from' | 'q' | 'radius_km' | 'box'>,
  found: readonly FoundSportCenter[] | undefined,
): BoundingBox | null {
  if (box) return box;
  if (!found) return null;
  if (radius_km !== null) {
    return found.length > 0 && found.length <= CLOSE_LOOK ? around([from, ...found]) : boundingBox(from, radius_km);
  }
  if (q === '') return around([from, ...nearOnes(found)]);
  const inPlace = found.filter((center) => isIn(center, foldText(q)));
  const shown = inPlace.length > 0 ? inPlace : found.slice(0, IN_VIEW);
  return shown.length > 0 ? around(shown) : null;
}

function isIn({ city, place_names }: FoundSportCenter, name: string): boolean {
  return [city ?? '', ...(place_names ?? [])].some((known) => foldText(known) === name);
}

/** The first few centers, without those that are far compared with the nearest. */
function nearOnes(found: readonly FoundSportCenter[]): FoundSportCenter[] {
  const reach_km = Math.max(MIN_BOX_KM, FAR_FACTOR * (found[2]?.distance_km ?? found[0]?.distance_km ?? 0));
  return found.slice(0, IN_VIEW).filter(({ distance_km }) => (distance_km ?? 0) <= reach_km);
}

/**
 * The smallest box around some positions, at least 1 km wide. Positions across the antimeridian get the long way round.
 */
function around(places: readonly Position[]): BoundingBox {
  const boxes = places.map((place) => boundingBox(place, MIN_BOX_KM / 2));
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  };
}
