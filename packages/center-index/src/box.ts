import type { BoundingBox } from '@sendlap/domain/geo.ts';

/** Longitudes and latitudes of a part of the tree, in one array for all parts, so that a search leaves nothing behind. */
export type Bounds = Float64Array;
export const WEST = 0;
export const SOUTH = 1;
export const EAST = 2;
export const NORTH = 3;

/** How a part of the tree lies to what is asked for. */
export type Relation = 'outside' | 'inside' | 'rim';

export function relateToBox(part: Bounds, box: BoundingBox): Relation {
  const west = part[WEST] ?? 0;
  const south = part[SOUTH] ?? 0;
  const east = part[EAST] ?? 0;
  const north = part[NORTH] ?? 0;
  if (south > box.north || north < box.south) return 'outside';
  const isAcross = box.west > box.east;
  const isWestOf = east < box.west;
  const isEastOf = west > box.east;
  if (isAcross ? isWestOf && isEastOf : isWestOf || isEastOf) return 'outside';
  if (south < box.south || north > box.north) return 'rim';
  const startsIn = west >= box.west;
  const endsIn = east <= box.east;
  return (isAcross ? startsIn || endsIn : startsIn && endsIn) ? 'inside' : 'rim';
}
