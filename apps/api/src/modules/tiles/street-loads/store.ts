import { randomUUID } from 'node:crypto';
import type { StreetLoad } from '@sendlap/contract/map/street-loads.ts';
import type { Database, Trx } from '#api/database/database.ts';

type Status = StreetLoad['status'];

/** Statuses of a load that has not ended; after a crash no node may be running it. */
const UNFINISHED: Status[] = ['waiting', 'fetching'];
const MAX_LISTED = 20;

/** Adds a load. Returns its id; undefined if another one is under way. */
export async function insertLoad(
  trx: Trx,
  load: { town_id: string; name: string; requested_by: string },
): Promise<string | undefined> {
  const row = await trx
    .insertInto('street_loads')
    .values({ id: randomUUID(), ...load })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** What the server needs to run a load. */
export interface UnfinishedLoad {
  id: string;
  town_id: string;
}

/** Returns the load that is under way. */
export async function findUnfinishedLoad(database: Database | Trx): Promise<UnfinishedLoad | undefined> {
  return database
    .selectFrom('street_loads')
    .select(['id', 'town_id'])
    .where('status', 'in', UNFINISHED)
    .executeTakeFirst();
}

/** The latest loads, newest first; `id`: only this one. */
export async function listLoads(database: Database | Trx, id?: string): Promise<StreetLoad[]> {
  const rows = await database
    .selectFrom('street_loads')
    .select(['id', 'town_id', 'name', 'status', 'fetched', 'total', 'radius_km', 'failure'])
    .select(['requested_at', 'finished_at'])
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .orderBy('requested_at', 'desc')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ requested_at, finished_at, ...load }) => ({
    ...load,
    requested_at: requested_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }));
}

export interface LoadChange {
  status?: Status;
  fetched?: number;
  total?: number;
  radius_km?: number;
  failure?: string;
  finished_at?: Date;
}

/** Changes a load that has not ended. Returns false if it has. */
export async function updateLoad(database: Database | Trx, id: string, change: LoadChange): Promise<boolean> {
  const result = await database
    .updateTable('street_loads')
    .set(change)
    .where('id', '=', id)
    .where('status', 'in', UNFINISHED)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
