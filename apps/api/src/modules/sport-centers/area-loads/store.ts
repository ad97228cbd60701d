import { randomUUID } from 'node:crypto';
import type { AreaLoad } from '@sendlap/contract/area-loads.ts';
import type { BoundingBox } from '@sendlap/domain/geo.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';

type Status = AreaLoad['status'];

/** Statuses of a load that has not ended; after a crash no node may be running it. */
const UNFINISHED: Status[] = ['waiting', 'fetching', 'saving'];
const MAX_LISTED = 20;
/** How long a finished load answers athletes' requests; older loads are deleted. */
const FRESH_DAYS = 30;

/** What the server needs to run a load. */
export interface UnfinishedLoad extends BoundingBox {
  id: string;
  name: string;
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
 * Finds a load whose area contains the box: an unfinished one or, `include_done`, one that ended well in the last 30 days. An
 * area across the date line contains only itself.
 */
export async function findCoveringLoad(
  database: Database | Trx,
  { west, south, east, north }: BoundingBox,
  { now, include_done }: { now: Date; include_done: boolean },
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
        ...(include_done ? [and([eb('status', '=', 'done'), eb('finished_at', '>', since)])] : []),
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

/** Returns the number of a user's loads that have not ended. */
export async function countUnfinished(database: Database | Trx, user_id: string): Promise<number> {
  const { count } = await database
    .selectFrom('area_loads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('requested_by', '=', user_id)
    .where('status', 'in', UNFINISHED)
    .executeTakeFirstOrThrow();
  return count;
}

/** Deletes loads that answer no request any longer: they say where their users were. */
export async function deleteOldLoads(database: Database, now: Date): Promise<void> {
  const before = new Date(now.getTime() - FRESH_DAYS * 86_400_000);
  await database.deleteFrom('area_loads').where('finished_at', '<', before).execute();
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
    .select(['requested_at', 'finished_at', 'requested_by'])
    .$if(id !== undefined, (query) => query.where('id', '=', id as string))
    .orderBy('requested_at', 'desc')
    .orderBy('id')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ retry_at, requested_at, finished_at, requested_by, ...load }) => ({
    ...load,
    failure: reader.is_operator ? load.failure : null,
    can_cancel: reader.is_operator || requested_by === reader.user_id,
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
    .where('status', 'in', UNFINISHED)
    .orderBy(({ eb }) => eb('status', '=', 'waiting'))
    .orderBy(({ eb, selectFrom }) => eb('requested_by', 'not in', selectFrom('operators').select('user_id')))
    .orderBy('requested_at')
    .limit(1)
    .executeTakeFirst();
}

/** Sets an unfinished load to `fetching`. Returns the number of attempts, including this one; undefined if it has ended. */
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

/** An attempt that a shutdown interrupted does not count. */
export async function discountAttempt(database: Database, id: string): Promise<void> {
  await database
    .updateTable('area_loads')
    .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', id)
    .where('attempts', '>', 0)
    .execute();
}

/** Whether the load's requester is an operator, whose acts are in the audit trail. */
export async function isOfOperator(trx: Trx, id: string): Promise<boolean> {
  const load = await trx
    .selectFrom('area_loads')
    .innerJoin('operators', 'operators.user_id', 'area_loads.requested_by')
    .select('area_loads.id')
    .where('area_loads.id', '=', id)
    .executeTakeFirst();
  return load !== undefined;
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
