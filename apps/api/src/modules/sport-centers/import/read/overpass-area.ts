import { type BoundingBox, boundingBox, type Position } from '@sendlap/domain/geo.ts';
import { createTownService } from '#api/modules/towns/service.ts';
import { ImportError } from './types.ts';

/** Overpass servers answer small queries quickly and refuse large ones. */
const CELL_DEGREES = 0.5;
const MAX_CELLS = 1000;
/** Precision of a box: positions to about a metre. */
const DIGITS = 5;

/** The area to query, and its key in file names. */
export type Area = { key: string; box: BoundingBox };

/**
 * Parses the text after `overpass:`: the name of a town in any language, or `west,south,east,north` in degrees. @throws
 * ImportError `no_such_area`
 */
export function parseArea(text: string): Area {
  const box = /^[\d.,\s-]+$/.test(text) ? parseBox(text) : boxOfTown(text);
  const { west, south, east, north } = box;
  const cells = splitIntoCells(box).length;
  if (cells > MAX_CELLS) {
    const reason = `the area takes ${cells} questions of half a degree, more than ${MAX_CELLS}: import a file of it`;
    throw new ImportError('no_such_area', reason);
  }
  return { key: [west, south, east, north].join('_'), box };
}

function parseBox(text: string): BoundingBox {
  const numbers = text.split(',').map((part) => (/^\s*-?\d+(?:\.\d+)?\s*$/.test(part) ? Number(part) : Number.NaN));
  const [west = Number.NaN, south = Number.NaN, east = Number.NaN, north = Number.NaN] = numbers;
  const isBox = numbers.length === 4 && Math.abs(west) <= 180 && Math.abs(east) <= 180 && west !== east;
  if (!isBox || !(south >= -90 && south < north && north <= 90)) {
    throw new ImportError('no_such_area', 'an area is west,south,east,north in degrees, or the name of a town');
  }
  return { west, south, east, north };
}

function boxOfTown(name: string): BoundingBox {
  const town = createTownService().findTown(name);
  if (town === undefined) throw new ImportError('no_such_area', `no town is called "${name}"`);
  return boxAround(town, town.radius_km);
}

/** The box of a circle, in whole units of the precision. */
export function boxAround(center: Position, radius_km: number): BoundingBox {
  const { west, south, east, north } = boundingBox(center, radius_km);
  const round = (degrees: number): number => Number(degrees.toFixed(DIGITS));
  return { west: round(west), south: round(south), east: round(east), north: round(north) };
}

/**
 * Splits a box into cells of at most half a degree, row by row; a box across the date line is split into two halves
 * first.
 */
export function splitIntoCells({ west, south, east, north }: BoundingBox): BoundingBox[] {
  if (west > east) {
    return [
      ...splitIntoCells({ west, south, east: 180, north }),
      ...splitIntoCells({ west: -180, south, east, north }),
    ];
  }
  const [rows, columns] = [north - south, east - west].map((span) => Math.ceil(span / CELL_DEGREES)) as [
    number,
    number,
  ];
  const cells: BoundingBox[] = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      cells.push({
        west: west + ((east - west) * column) / columns,
        south: south + ((north - south) * row) / rows,
        east: west + ((east - west) * (column + 1)) / columns,
        north: south + ((north - south) * (row + 1)) / rows,
      });
    }
  }
  return cells;
}
