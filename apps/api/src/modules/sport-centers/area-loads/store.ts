import { randomUUID } from 'node:crypto';
import type { AreaLoad } from '@sendlap/contract/area-loads.ts';
import type { BoundingBox } from '@sendlap/domain/geo.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';

type Status = AreaLoad['status'];

/** Statuses of a load that has not ended; after a crash no node may be running it. */
const UNFINISHED: Status[] = ['waiting', 'fetching', 'saving'];
const LISTED = 20;
/** How long OpenStreetMap's answer about an area is good enough for an athlete. */
const FRESH_DAYS = 30;

/** What the server needs to run a load. */
export interface UnfinishedLoad extends BoundingBox {
  id: string;
  name: string;
}

export interface NewLoad {
  name: string;
  box: BoundingBox;
  requested_by: string;
}

/** Lets requests for loads run one after the other, at all nodes, so that two of them do not add the same area. */
export async function lockRequests(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('area_load_requests'))`.execute(trx);
}

/** Adds a load. Returns its id. */
export async function insertLoad(trx: Trx, { name, box, requested_by }: NewLoad): Promise<string> {
  const { west, south, east, north } = box;
  const id = randomUUID();
  await trx.insertInto('area_loads').values({ id, name, west, south, east, north, requested_by }).execute();
  return id;
}

/**
 * Finds a load whose area contains the box: an unfinished one or, `with_done`, one that ended well in the last 30 days. An
 * area across the date line contains only itself.
 */
export async function findCoveringLoad(
  database: Database | Trx,
  { west, south, east, north }: BoundingBox,
  { now, with_done }: { now: Date; with_done: boolean },
): Promise<string | undefined> {
  const since = new Date(now.getTime() - FRESH_DAYS * 86_400_000);
  const load = await database
    .selectFrom('area_loads')
    .select('id')
    .where('west', '<=', west)
    .where('south', '<=', south)
    .where('east', '>=', east)
    .where('north', '>=', north)
    .whereRef('west', '<=', 'east')
    .where(({ or, and, eb }) =>
      or([
        eb('status', 'in', UNFINISHED),
        ...(with_done ? [and([eb('status', '=', 'done'), eb('finished_at', '>', since)])] : []),
      ]),
    )
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return west <= east ? load?.id : undefined;
}

export async function countLoadsSince(database: Database | Trx, since: Date): Promise<number> {
  const { count } = await database
    .selectFrom('area_loads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('requested_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the user who requested a load. */
export async function findRequester(database: Database | Trx, id: string): Promise<string | undefined> {
  const load = await database.selectFrom('area_loads').select('requested_by').where('id', '=', id).executeTakeFirst();
  return load?.requested_by;
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

/** Returns the unfinished load that has waited longest; first the one that a crash interrupted. */
export async function findUnfinishedLoad(database: Database): Promise<UnfinishedLoad | undefined> {
  return database
    .selectFrom('area_loads')
    .select(['id', 'name', 'west', 'south', 'east', 'north'])
    .where('status', 'in', UNFINISHED)
    .orderBy(({ eb }) => eb('status', '=', 'waiting'))
    .orderBy('requested_at')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Sets an unfinished load to `fetching`. Returns how often it has begun, this time included; undefined if it has ended.
 */
export async function startAttempt(database: Database, id: string): Promise<number | undefined> {
  const started = await database
    .updateTable('area_loads')
    .set(({ eb }) => ({ status: 'fetching', attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('status', 'in', UNFINISHED)
    .returning('attempts')
    .executeTakeFirst();
  return started?.attempts;
}

export async function readStatus(database: Database, id: string): Promise<Status | undefined> {
  const load = await database.selectFrom('area_loads').select('status').where('id', '=', id).executeTakeFirst();
  return load?.status;
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
  expected: Status[],
  { report, ...change }: LoadChange,
): Promise<boolean> {
  const result = await database
    .updateTable('area_loads')
    .set({ ...change, ...(report && { report: JSON.stringify(report) }) })
    .where('id', '=', id)
    .where('status', 'in', expected)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
