import { isUuidV4 } from '@sendlap/domain/ids.ts';
import { type RawBuilder, sql } from 'kysely';
import { cursorInvalid } from '#api/platform/errors.ts';

/** Position of a row in a list sorted newest first. */
interface Cursor {
  at: Date;
  id: string;
}

/**
 * SQL condition for the rows after the cursor by these two columns; without a cursor, all rows. Throws
 * `cursor_invalid`.
 */
export function isAfterCursor(cursor: string | undefined, at: string, id: string): RawBuilder<boolean> {
  if (cursor === undefined) return sql`true`;
  const match = /^(\d{1,15})_(.+)$/.exec(cursor);
  if (!match || !isUuidV4(match[2])) throw cursorInvalid();
  return sql`(${sql.ref(at)}, ${sql.ref(id)}) < (${new Date(Number(match[1]))}, ${match[2]})`;
}

/** Returns the page and the next cursor; `rows` were queried with `limit + 1`. */
export function pageOf<Row>(rows: Row[], limit: number, cursorOf: (row: Row) => Cursor) {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  if (rows.length <= limit || !last) return { shown, next_cursor: null };
  const { at, id } = cursorOf(last);
  return { shown, next_cursor: `${at.getTime()}_${id}` };
}
