import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { PREPARED, PREPARED_DEFERRED } from '#api/database/statement-pipeline.ts';

export interface Device {
  id: string;
  user_id: string;
  key_encrypted: Buffer;
}

export interface ActiveDevice extends Device {
  installation_id: string;
  name: string;
  created_at: Date;
  last_used_at: Date;
}

const KEY_COLUMNS = ['id', 'user_id', 'key_encrypted'] as const;

/** Revoked or not: a key id never changes its meaning. */
export async function findDevice(database: Database | Trx, id: string): Promise<Device | undefined> {
  const { rows } =
    await sql<Device>`${PREPARED}select id, user_id, key_encrypted from devices where id = ${id}`.execute(database);
  return rows[0];
}

/** The encrypted active keys of these users. */
export async function listActiveDeviceKeys(database: Database, user_ids: string[]): Promise<Device[]> {
  if (user_ids.length === 0) return [];
  return database
    .selectFrom('devices')
    .select(KEY_COLUMNS)
    .where('user_id', 'in', user_ids)
    .where('revoked_at', 'is', null)
    .execute();
}

/** The active devices, last used first. */
export async function listActiveDevices(database: Database | Trx, user_id: string): Promise<ActiveDevice[]> {
  return database
    .selectFrom('devices')
    .select([...KEY_COLUMNS, 'installation_id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', user_id)
    .where('revoked_at', 'is', null)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
}

export async function insertDevice(
  trx: Trx,
  device: Device & { installation_id: string; name: string; session_id: string; last_used_at: Date },
): Promise<void> {
  await trx.insertInto('devices').values(device).execute();
}

export async function updateDevice(
  database: Database | Trx,
  id: string,
  changes: { name?: string; session_id?: string; last_used_at: Date },
): Promise<void> {
  await database.updateTable('devices').set(changes).where('id', '=', id).execute();
}

/** An error is thrown by the transaction's next statement or commit. */
export async function recordDeviceUse(trx: Trx, id: string, last_used_at: Date): Promise<void> {
  await sql`${PREPARED_DEFERRED}update devices set last_used_at = ${last_used_at} where id = ${id}`.execute(trx);
}

/** Revokes a key of the user, if not already revoked; false if the user never had this key. */
export async function revokeDeviceKey(
  database: Database | Trx,
  { id, user_id }: { id: string; user_id: string },
  now: Date,
): Promise<boolean> {
  const result = await database
    .updateTable('devices')
    .set((eb) => ({ revoked_at: eb.fn.coalesce('revoked_at', eb.val(now)) }))
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Whether the user has a running activity, or an undecided one that ended after this moment. */
export async function hasOpenActivity(trx: Trx, user_id: string, ended_after: Date): Promise<boolean> {
  const open = await trx
    .selectFrom('activities')
    .select('id')
    .where('user_id', '=', user_id)
    .where(({ or, and, eb }) =>
      or([eb('status', '=', 'active'), and([eb('status', '=', 'finished'), eb('ended_at', '>', ended_after)])]),
    )
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}
