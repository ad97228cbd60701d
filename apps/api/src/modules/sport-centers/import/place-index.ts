import { distanceKm, type Position } from '@sendlap/domain/geo.ts';

const CELL_DEGREES = 0.0015;
const METRES_PER_DEGREE = 111_195;

/** Points by place, for questions about the nearest few hundred metres; cells as wide as the usual question. */
export class PlaceIndex<Item extends Position> {
  private readonly cells = new Map<string, Item[]>();

  add(item: Item): void {
    const row = Math.floor(item.latitude / CELL_DEGREES);
    const key = `${row}/${columnOf(item.longitude, row)}`;
    const cell = this.cells.get(key);
    if (cell === undefined) this.cells.set(key, [item]);
    else cell.push(item);
  }

  /** All items within `radiusM` metres with their distance, in no order. Does not look across the date line. */
  near(point: Position, radiusM: number): { item: Item; metres: number }[] {
    const reach = radiusM / METRES_PER_DEGREE;
    const found: { item: Item; metres: number }[] = [];
    const lastRow = Math.floor((point.latitude + reach) / CELL_DEGREES);
    for (let row = Math.floor((point.latitude - reach) / CELL_DEGREES); row <= lastRow; row += 1) {
      const wide = reach / widthOf(row);
      const last = columnOf(point.longitude + wide, row);
      for (let column = columnOf(point.longitude - wide, row); column <= last; column += 1) {
        for (const item of this.cells.get(`${row}/${column}`) ?? []) {
          const metres = distanceKm(item, point) * 1000;
          if (metres <= radiusM) found.push({ item, metres });
        }
      }
    }
    return found;
  }
}

/** Meridians draw together towards the poles: a column is wider in degrees there, so that it keeps its metres. */
function widthOf(row: number): number {
  const edge = Math.min(89, Math.max(Math.abs(row), Math.abs(row + 1)) * CELL_DEGREES);
  return Math.cos((edge * Math.PI) / 180);
}

function columnOf(longitude: number, row: number): number {
  return Math.floor((longitude * widthOf(row)) / CELL_DEGREES);
}
