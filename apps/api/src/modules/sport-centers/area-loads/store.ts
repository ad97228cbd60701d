import { randomUUID } from 'node:crypto';
import type { AreaLoad } from '@sendlap/contract/area-loads.ts';
import type { BoundingBox } from '@sendlap/domain/geo.ts';
import type { Database, Trx } from '#api/database/database.ts';

type Status = AreaLoad['status'];

/** Statuses of a load that has not ended; after a crash no server works at it. */
const OPEN: Status[] = ['waiting', 'fetching', 'saving'];
const LISTED = 20;

/** What the server needs to carry a load out. */
export interface OpenLoad extends BoundingBox {
  id: string;
  name: string;
}

export interface NewLoad {
  name: string;
  box: BoundingBox;
  requested_by: string;
}

/** Adds a load, unless one of the same area is open. Returns the new or open one. */
export async function insertLoad(trx: Trx, load: NewLoad): Promise<{ id: string; is_new: boolean }> {
  const { name, box, requested_by } = load;
  const { west, south, east, north } = box;
  const added = await trx
    .insertInto('area_loads')
    .values({ id: randomUUID(), name, west, south, east, north, requested_by })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) return { ...added, is_new: true };
  const latest = await trx
    .selectFrom('area_loads')
    .select('id')
    .where((where) => where.and({ west, south, east, north }))
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return { ...latest, is_new: false };
}

/** The latest loads, newest first; `id`: only this one. */
export async function listLoads(database: Database | Trx, id?: string): Promise<AreaLoad[]> {
  const rows = await database
    .selectFrom('area_loads')
    .select([
      'id',
      'name',
      'status',
      'fetched',
      'total',
      'retry_at',
      'report',
      'failure',
      'requested_at',
      'finished_at',
    ])
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .orderBy('requested_at', 'desc')
    .orderBy('id')
    .limit(LISTED)
    .execute();
  return rows.map(({ retry_at, requested_at, finished_at, ...load }) => ({
    ...load,
    retry_at: retry_at?.toISOString() ?? null,
    requested_at: requested_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }));
}

/** Returns the open load that has waited longest; first the one that a crash interrupted. */
export async function findOpenLoad(database: Database): Promise<OpenLoad | undefined> {
  return database
    .selectFrom('area_loads')
    .select(['id', 'name', 'west', 'south', 'east', 'north'])
    .where('status', 'in', OPEN)
    .orderBy(({ eb }) => eb('status', '=', 'waiting'))
    .orderBy('requested_at')
    .limit(1)
    .executeTakeFirst();
}

export interface LoadChange {
  status?: Status;
  fetched?: number;
  total?: number;
  retry_at?: Date | null;
  report?: AreaLoad['report'];
  failure?: string;
  finished_at?: Date;
}

/** Changes a load that has one of the statuses. Returns false if it has another one, such as `cancelled`. */
export async function updateLoad(
  database: Database | Trx,
  id: string,
  from: Status[],
  { report, ...change }: LoadChange,
): Promise<boolean> {
  const result = await database
    .updateTable('area_loads')
    .set({ ...change, ...(report && { report: JSON.stringify(report) }) })
    .where('id', '=', id)
    .where('status', 'in', from)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
