import { randomUUID } from 'node:crypto';
import { type AreaLoad, UNFINISHED_STATUSES } from '@sendlap/contract/area-loads.ts';
import type { BoundingBox } from '@sendlap/domain/geo.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';

type Status = AreaLoad['status'];

const MAX_LISTED = 20;
const FRESH_DAYS = 30;

/** A load that ended later answers athletes' requests; one that ended before is deleted. */
const freshSince = (now: Date) => new Date(now.getTime() - FRESH_DAYS * 86_400_000);

/** What the server needs to run a load. */
export interface UnfinishedLoad extends BoundingBox {
  id: string;
  name: string;
  /** An operator alone has requested it: no athlete chose the moment. */
  is_of_operator: boolean;
}

export interface NewLoad {
  town_id: string | null;
  name: string;
  box: BoundingBox;
  requested_by: string;
}

/** Lets requests for loads run one after the other, at all nodes, so that two of them do not add the same area. */
export async function lockRequests(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('area_load_requests'))`.execute(trx);
}

/** Adds a load. Returns its id. */
export async function insertLoad(trx: Trx, { box, ...load }: NewLoad): Promise<string> {
  const { west, south, east, north } = box;
  const id = randomUUID();
  await trx
    .insertInto('area_loads')
    .values({ id, ...load, west, south, east, north })
    .execute();
  return id;
}

/**
 * Finds a load whose area contains the box: an unfinished one or, `include_done`, one that ended well in the last 30
 * days. An area across the date line contains only itself.
 */
export async function findCoveringLoad(
  trx: Trx,
  { west, south, east, north }: BoundingBox,
  { now, include_done }: { now: Date; include_done: boolean },
): Promise<string | undefined> {
  const load = await trx
    .selectFrom('area_loads')
    .select('id')
    .where('west', '<=', west)
    .where('south', '<=', south)
    .where('east', '>=', east)
    .where('north', '>=', north)
    .whereRef('west', '<=', 'east')
    .where(({ or, and, eb }) =>
      or([
        eb('status', 'in', UNFINISHED_STATUSES),
        ...(include_done ? [and([eb('status', '=', 'done'), eb('finished_at', '>', freshSince(now))])] : []),
      ]),
    )
    .orderBy('requested_at', 'desc')
    .limit(1)
    // A cancellation that commits first takes it out.
    .forUpdate()
    .executeTakeFirst();
  return west <= east ? load?.id : undefined;
}

/** Loads requested since then, without those cancelled before their turn. */
function loadsSince(database: Database | Trx, since: Date) {
  return database
    .selectFrom('area_loads')
    .where('requested_at', '>', since)
    .where(({ or, eb }) => or([eb('status', '!=', 'cancelled'), eb('attempts', '>', 0)]));
}

/** Returns the number of loads requested since then, without those cancelled before their turn. */
export async function countLoadsSince(database: Database | Trx, since: Date): Promise<number> {
  const { count } = await loadsSince(database, since)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Returns when a user requested the load that comes after the `skip` newest of these; undefined if they are fewer.
 */
export async function findRequestTime(
  database: Database | Trx,
  user_id: string,
  { since, skip, includes_failed }: { since: Date; skip: number; includes_failed: boolean },
): Promise<Date | undefined> {
  const load = await loadsSince(database, since)
    .select('requested_at')
    .where('requested_by', '=', user_id)
    .$if(!includes_failed, (query) => query.where('status', '!=', 'failed'))
    .orderBy('requested_at', 'desc')
    .offset(skip)
    .limit(1)
    .executeTakeFirst();
  return load?.requested_at;
}

/**
 * Notes that a second user waits for an unfinished load. An operator takes over an athlete's load: it goes first.
 * Returns false if nothing changed. An operator's own load stays unshared.
 */
export async function joinLoad(trx: Trx, id: string, { user_id, is_operator }: LoadReader): Promise<boolean> {
  const joined = await trx
    .updateTable('area_loads')
    .set({ is_shared: true, ...(is_operator && { requested_by: user_id }) })
    .where('id', '=', id)
    .where('status', 'in', UNFINISHED_STATUSES)
    .where('requested_by', '!=', user_id)
    .where(({ eb, selectFrom }) => eb('requested_by', 'not in', selectFrom('operators').select('user_id')))
    .executeTakeFirst();
  return joined.numUpdatedRows > 0n;
}

/** Returns the number of a user's loads that have not ended. */
export async function countUnfinished(database: Database | Trx, user_id: string): Promise<number> {
  const { count } = await database
    .selectFrom('area_loads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('requested_by', '=', user_id)
    .where('status', 'in', UNFINISHED_STATUSES)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes loads that answer no request any longer: they say where their users were. Returns their ids. */
export async function deleteOldLoads(database: Database, now: Date): Promise<string[]> {
  const old = await database
    .deleteFrom('area_loads')
    .where('finished_at', '<', freshSince(now))
    .returning('id')
    .execute();
  return old.map(({ id }) => id);
}

/** Who reads a load. */
export interface LoadReader {
  user_id: string;
  is_operator: boolean;
}

/**
 * The latest loads, newest first; `id`: only this one. Only operators read why a load failed: it names the server's own
 * addresses.
 */
export async function listLoads(database: Database | Trx, reader: LoadReader, id?: string): Promise<AreaLoad[]> {
  const rows = await database
    .selectFrom('area_loads')
    .select(['id', 'town_id', 'name', 'status', 'fetched', 'total', 'retry_at', 'report', 'failure'])
    .select(['requested_at', 'finished_at', 'requested_by', 'is_shared'])
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .orderBy('requested_at', 'desc')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ retry_at, requested_at, finished_at, requested_by, is_shared, ...load }) => ({
    ...load,
    failure: reader.is_operator ? load.failure : null,
    can_cancel: reader.is_operator || (requested_by === reader.user_id && !is_shared),
    retry_at: retry_at?.toISOString() ?? null,
    requested_at: requested_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  }));
}

/**
 * Returns the unfinished load that has waited longest: first the one that a crash interrupted, then those of operators.
 */
export async function findUnfinishedLoad(database: Database): Promise<UnfinishedLoad | undefined> {
  return database
    .selectFrom('area_loads')
    .select(['id', 'name', 'west', 'south', 'east', 'north'])
    .select(({ eb, and, selectFrom }) =>
      and([eb('is_shared', '=', false), eb('requested_by', 'in', selectFrom('operators').select('user_id'))])
        .$castTo<boolean>()
        .as('is_of_operator'),
    )
    .where('status', 'in', UNFINISHED_STATUSES)
    .orderBy(({ eb }) => eb('status', '=', 'waiting'))
    .orderBy(({ eb, selectFrom }) => eb('requested_by', 'not in', selectFrom('operators').select('user_id')))
    .orderBy('requested_at')
    .limit(1)
    .executeTakeFirst();
}

/** Whether the load's requester is an operator, whose acts are in the audit trail. */
export async function wasRequestedByOperator(trx: Trx, id: string): Promise<boolean> {
  const load = await trx
    .selectFrom('area_loads')
    .innerJoin('operators', 'operators.user_id', 'area_loads.requested_by')
    .select('area_loads.id')
    .where('area_loads.id', '=', id)
    .executeTakeFirst();
  return load !== undefined;
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

/** Stops an unfinished load; with `requested_by` only one of theirs that no other user waits for. Returns false otherwise. */
export async function cancelLoad(
  trx: Trx,
  id: string,
  { finished_at, requested_by }: { finished_at: Date; requested_by: string | undefined },
): Promise<boolean> {
  const result = await trx
    .updateTable('area_loads')
    .set({ status: 'cancelled', retry_at: null, finished_at })
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'fetching'])
    .where(({ and }) => and(requested_by === undefined ? {} : { requested_by, is_shared: false }))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
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
