import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';

/** Squares of this many to a degree: large enough that what belongs together stands in one or in two beside each other. */
const PER_DEGREE = 10;
const ROWS = 180 * PER_DEGREE;
const COLUMNS = 360 * PER_DEGREE;
const INSERT_ROWS = 20_000;

/** A set of squares of the world, a byte each. */
export class Squares {
  private readonly marked = new Uint8Array(ROWS * COLUMNS);
  isEmpty = true;

  /** Adds the square of a place and those around it; there is none beyond the date line. */
  add(latitude: number, longitude: number): void {
    const row = Math.floor(latitude * PER_DEGREE) + ROWS / 2;
    const column = Math.floor(longitude * PER_DEGREE) + COLUMNS / 2;
    for (let up = Math.max(0, row - 1); up <= Math.min(ROWS - 1, row + 1); up += 1) {
      const first = Math.max(0, column - 1);
      this.marked.fill(1, up * COLUMNS + first, up * COLUMNS + Math.min(COLUMNS, column + 2));
    }
    this.isEmpty = false;
  }

  /** Writes the squares to the temporary table `import_squares`. */
  async save(trx: Trx): Promise<void> {
    await sql`create temp table import_squares (square integer primary key) on commit drop`.execute(trx);
    let some: number[] = [];
    for (let at = this.marked.indexOf(1); at !== -1; at = this.marked.indexOf(1, at + 1)) {
      some.push(at);
      if (some.length === INSERT_ROWS) {
        await insertSquares(trx, some);
        some = [];
      }
    }
    await insertSquares(trx, some);
  }
}

async function insertSquares(trx: Trx, squares: number[]): Promise<void> {
  if (squares.length > 0) await sql`insert into import_squares select unnest(${squares}::integer[])`.execute(trx);
}

/** The square of a stored center, the last one for what lies on the very edge of the world. */
export const STORED_SQUARE = sql`(
  least(floor(latitude * ${sql.lit(PER_DEGREE)}) + ${sql.lit(ROWS / 2)}, ${sql.lit(ROWS - 1)}) * ${sql.lit(COLUMNS)}
  + least(floor(longitude * ${sql.lit(PER_DEGREE)}) + ${sql.lit(COLUMNS / 2)}, ${sql.lit(COLUMNS - 1)})
)::integer`;
