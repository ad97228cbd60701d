import type { Position } from '@sendlap/domain/geo.ts';
import { sql } from 'kysely';
import { type Database, databaseErrorCode, type Trx } from '#api/platform/database.ts';
import { describeForSearch } from './describe.ts';
import { findUndescribed } from './store.ts';

const BATCH_ROWS = 500;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Works out the search columns and the towns of the centers that have none, which an older version or another program
 * stored or changed; costs next to nothing where all have. False when somebody else changes centers just now, so that
 * some must wait for the next time.
 */
export async function describeStoredCenters(
  database: Database,
  namesAround: (position: Position) => string[],
): Promise<boolean> {
  if ((await findUndescribed(database, 1)).length === 0) return true;
  try {
    let last_id: string | undefined;
    do {
      last_id = await database.transaction().execute((trx) => describeSome(trx, namesAround, last_id));
    } while (last_id !== undefined);
    return true;
  } catch (error) {
    if (databaseErrorCode(error) !== LOCK_NOT_AVAILABLE) throw error;
    return false;
  }
}

/** Describes the next ones after `last_id`; returns the last of them. */
async function describeSome(
  trx: Trx,
  namesAround: (position: Position) => string[],
  last_id: string | undefined,
): Promise<string | undefined> {
  // An import holds the version from its first change to its end, and rows too. Who has the version first and waits for
  // no row is never in its way.
  await sql`set local lock_timeout = '1s'`.execute(trx);
  await sql`select from sport_center_version for update`.execute(trx);
  const rows = await findUndescribed(trx, BATCH_ROWS, last_id, { lock: true });
  if (rows.length === 0) return undefined;
  const described = rows.map((row) => {
    const place_names = row.place_names.length > 0 ? row.place_names : namesAround(row);
    return { id: row.id, place_names, ...describeForSearch(row, place_names) };
  });
  await sql`
    update sport_centers as center
    set place_names = described.place_names, search_name = described.search_name,
      search_text = described.search_text, search_city = described.search_city
    from jsonb_to_recordset(${JSON.stringify(described)}::jsonb) as described (
      id uuid, place_names text[], search_name text, search_text text, search_city text
    )
    where center.id = described.id
  `.execute(trx);
  return rows.at(-1)?.id;
}
