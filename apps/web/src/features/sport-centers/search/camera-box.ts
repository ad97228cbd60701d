import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { type BoundingBox, boundingBox, type Position } from '@sendlap/domain/geo.ts';
import { foldText } from '@sendlap/domain/names.ts';
import type { CenterSearch } from './queries.ts';
import { hasRegion } from './search-url.ts';

/** How many of the nearest centers the first view includes. */
const FIRST_VIEW_COUNT = 12;
/** Up to this many centers in a radius, a country or a city, the view fits the centers; beyond, the first page is not all of them. */
const MAX_CENTERS_TO_FIT = 50;
const MIN_BOX_KM = 1;
/** A center farther than this factor times the third nearest is treated as another place. */
const FAR_FACTOR = 3;

/** Returns the box that the map shows for a search; null until the search is answered, or if it found nothing. */
export function boxOfSearch(
  search: Pick<CenterSearch, 'from' | 'q' | 'country' | 'city' | 'radius_km' | 'box'>,
  found: readonly FoundSportCenter[] | undefined,
): BoundingBox | null {
  const { from, q, radius_km, box } = search;
  if (box) return box;
  if (!found) return null;
  if (radius_km !== null) {
    return found.length > 0 && found.length <= MAX_CENTERS_TO_FIT
      ? boxAround([from, ...found])
      : boundingBox(from, radius_km);
  }
  if (q === '' && hasRegion(search)) return boxOfRegion(found);
  if (q === '') return boxAround([from, ...nearestCenters(found)]);
  const inTown = found.filter((center) => isInTown(center, foldText(q)));
  const shown = inTown.length > 0 ? inTown : found.slice(0, FIRST_VIEW_COUNT);
  return shown.length > 0 ? boxAround(shown) : null;
}

/** All centers of a country or a city, or the nearest: the origin may be far from them. */
function boxOfRegion(found: readonly FoundSportCenter[]): BoundingBox | null {
  const shown = found.length <= MAX_CENTERS_TO_FIT ? found : found.slice(0, FIRST_VIEW_COUNT);
  return shown.length > 0 ? boxAround(shown) : null;
}

function isInTown({ city, place_names }: FoundSportCenter, name: string): boolean {
  return [city ?? '', ...(place_names ?? [])].some((candidate) => foldText(candidate) === name);
}

/** The first few centers, without those that are far compared with the nearest. */
function nearestCenters(found: readonly FoundSportCenter[]): FoundSportCenter[] {
  const max_km = Math.max(MIN_BOX_KM, FAR_FACTOR * (found[2]?.distance_km ?? found[0]?.distance_km ?? 0));
  return found.slice(0, FIRST_VIEW_COUNT).filter(({ distance_km }) => (distance_km ?? 0) <= max_km);
}

/**
 * The smallest box around some positions, at least 1 km wide. Positions across the antimeridian get the long way round.
 */
function boxAround(positions: readonly Position[]): BoundingBox {
  const boxes = positions.map((position) => boundingBox(position, MIN_BOX_KM / 2));
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  };
}
