import type { BoundingBox } from '@sendlap/domain/geo.ts';

/** Longitudes and latitudes of a part of the tree, in one array for all parts, so that a search leaves nothing behind. */
export type Bounds = Float64Array;
export const WEST = 0;
export const SOUTH = 1;
export const EAST = 2;
export const NORTH = 3;

/** The tree has its positions as 32-bit floats, at most 0.000008 degrees off. */
const MARGIN_DEGREES = 0.00002;

/** How a part of the tree lies to what is asked for. */
export type Relation = 'outside' | 'inside' | 'rim';

/** Sure of `outside` and `inside` whatever the rounding of the bounds. */
export function relateToBox(part: Bounds, box: BoundingBox): Relation {
  const m = MARGIN_DEGREES;
  const west = part[WEST] ?? 0;
  const south = part[SOUTH] ?? 0;
  const east = part[EAST] ?? 0;
  const north = part[NORTH] ?? 0;
  if (south > box.north + m || north < box.south - m) return 'outside';
  const isAcross = box.west > box.east;
  const isWestOf = east < box.west - m;
  const isEastOf = west > box.east + m;
  if (isAcross ? isWestOf && isEastOf : isWestOf || isEastOf) return 'outside';
  if (south < box.south + m || north > box.north - m) return 'rim';
  const startsIn = west >= box.west + m;
  const endsIn = east <= box.east - m;
  return (isAcross ? startsIn || endsIn : startsIn && endsIn) ? 'inside' : 'rim';
}
