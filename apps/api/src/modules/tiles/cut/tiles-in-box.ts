import type { BoundingBox } from '@sendlap/domain/geo.ts';
import { zxyToTileId } from 'pmtiles';
import { project } from '../archive/tile-address.ts';

interface TileRange {
  z: number;
  /** First and last column, and row. */
  columns: [number, number];
  rows: [number, number];
}

/** The tiles that touch the box, at each zoom; a box across the antimeridian has two ranges. */
function rangesOf({ west, south, east, north }: BoundingBox, min_zoom: number, max_zoom: number): TileRange[] {
  const ranges: TileRange[] = [];
  const halves =
    west <= east
      ? [[west, east]]
      : [
          [west, 180],
          [-180, east],
        ];
  for (let z = min_zoom; z <= max_zoom; z += 1) {
    const side = 2 ** z;
    const indexOf = (unit: number) => Math.min(side - 1, Math.max(0, Math.floor(unit * side)));
    for (const [from = 0, to = 0] of halves) {
      const [start, end] = [project(from, north), project(to, south)];
      ranges.push({ z, columns: [indexOf(start.x), indexOf(end.x)], rows: [indexOf(start.y), indexOf(end.y)] });
    }
  }
  return ranges;
}

export function countTiles(box: BoundingBox, min_zoom: number, max_zoom: number): number {
  return rangesOf(box, min_zoom, max_zoom)
    .map(({ columns, rows }) => (columns[1] - columns[0] + 1) * (rows[1] - rows[0] + 1))
    .reduce((sum, count) => sum + count, 0);
}

/** Returns the PMTiles ids of the tiles that touch the box, in their order. */
export function tileIdsInBox(box: BoundingBox, min_zoom: number, max_zoom: number): number[] {
  const ids = new Set<number>();
  for (const { z, columns, rows } of rangesOf(box, min_zoom, max_zoom)) {
    for (let x = columns[0]; x <= columns[1]; x += 1) {
      for (let y = rows[0]; y <= rows[1]; y += 1) ids.add(zxyToTileId(z, x, y));
    }
  }
  return [...ids].sort((a, b) => a - b);
}
