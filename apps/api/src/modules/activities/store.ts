import type { Intensity, Sport } from '@sendlap/domain/scoring.ts';
import type { Selectable, Updateable } from 'kysely';
import type { Database, Trx } from '#api/platform/database.ts';
import type { Tables } from '#api/platform/tables.ts';

export type ActivityRow = Selectable<Tables['activities']> & { sport_center_name: string };

export interface ActivityFilter {
  sport?: Sport | undefined;
  status?: ActivityRow['status'] | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** Keyset: only what comes after this one, newest first. */
  after?: { started_at: Date; id: string } | undefined;
  limit: number;
}

function activitiesWithCenter(database: Database | Trx) {
  return database
    .selectFrom('activities')
    .innerJoin('sport_centers', 'sport_centers.id', 'activities.sport_center_id')
    .selectAll('activities')
    .select('sport_centers.name as sport_center_name');
}

export async function findActivity(
  database: Database | Trx,
  user_id: string,
  id: string,
): Promise<ActivityRow | undefined> {
  return activitiesWithCenter(database)
    .where('user_id', '=', user_id)
    .where('activities.id', '=', id)
    .executeTakeFirst();
}

export async function listActivities(
  database: Database,
  user_id: string,
  filter: ActivityFilter,
): Promise<ActivityRow[]> {
  let query = activitiesWithCenter(database).where('user_id', '=', user_id);
  if (filter.sport) query = query.where('sport_type', '=', filter.sport);
  if (filter.status) query = query.where('status', '=', filter.status);
  if (filter.from) query = query.where('started_at', '>=', filter.from);
  if (filter.to) query = query.where('started_at', '<', filter.to);
  const { after } = filter;
  if (after) {
    query = query.where((eb) =>
      eb.or([
        eb('started_at', '<', after.started_at),
        eb.and([eb('started_at', '=', after.started_at), eb('activities.id', '<', after.id)]),
      ]),
    );
  }
  return query.orderBy('started_at', 'desc').orderBy('activities.id', 'desc').limit(filter.limit).execute();
}

export async function findActiveActivity(trx: Trx, user_id: string): Promise<ActivityRow | undefined> {
  return activitiesWithCenter(trx).where('user_id', '=', user_id).where('status', '=', 'active').executeTakeFirst();
}

/** Another activity of the user that shares time with [from, to); a running one goes on without an end. */
export async function findOverlap(
  trx: Trx,
  user_id: string,
  range: { from: Date; to: Date; except: string },
): Promise<ActivityRow | undefined> {
  return activitiesWithCenter(trx)
    .where('user_id', '=', user_id)
    .where('status', '!=', 'rejected')
    .where('activities.id', '!=', range.except)
    .where('started_at', '<', range.to)
    .where((eb) => eb.or([eb('ended_at', 'is', null), eb('ended_at', '>', range.from)]))
    .executeTakeFirst();
}

export async function insertActivity(
  trx: Trx,
  activity: {
    id: string;
    user_id: string;
    sport_center_id: string;
    sport_type: Sport;
    started_at: Date;
    intensity: Intensity | null;
    rule_version: string;
    local_date: string;
    week_key: string;
  },
): Promise<void> {
  await trx
    .insertInto('activities')
    .values({ ...activity, status: 'active', distance_m: null })
    .execute();
}

export async function updateActivity(
  trx: Trx,
  { user_id, id }: Pick<ActivityRow, 'user_id' | 'id'>,
  changes: Updateable<Tables['activities']>,
): Promise<void> {
  await trx
    .updateTable('activities')
    .set({ ...changes, updated_at: new Date() })
    .where('user_id', '=', user_id)
    .where('id', '=', id)
    .execute();
}

/** The validated activities of a user's local day, the ones that share its cap. */
export async function listValidatedOfDay(trx: Trx, user_id: string, local_date: string): Promise<ActivityRow[]> {
  return activitiesWithCenter(trx)
    .where('user_id', '=', user_id)
    .where('local_date', '=', local_date)
    .where('status', '=', 'validated')
    .execute();
}

/** Finished, unvalidated ones at these centers that ended after `since`: what typed digits can mean. */
export async function listOpenActivities(
  database: Database,
  sport_center_ids: string[],
  since: Date,
): Promise<(ActivityRow & { public_id: string; user_name: string })[]> {
  if (sport_center_ids.length === 0) return [];
  return activitiesWithCenter(database)
    .innerJoin('users', 'users.id', 'activities.user_id')
    .select(['users.public_id', 'users.name as user_name'])
    .where('users.is_active', '=', true)
    .where('sport_center_id', 'in', sport_center_ids)
    .where('status', '=', 'finished')
    .where('ended_at', '>=', since)
    .execute();
}

/** One writer at a time for each of these users; always taken in the same order, so that no two wait in a ring. */
export async function lockUsers(trx: Trx, user_ids: string[]): Promise<void> {
  await trx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...new Set(user_ids)])
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

export interface LedgerEntry {
  user_id: string;
  activity_id: string;
  kind: 'validation' | 'allotment' | 'reversal';
  points: number;
  rule_version: string;
  inputs: object;
}

export async function appendLedger(trx: Trx, entries: LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await trx
    .insertInto('score_ledger')
    .values(entries.map((entry) => ({ ...entry, inputs: JSON.stringify(entry.inputs) })))
    .execute();
}
