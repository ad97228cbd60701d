import type { Database, Trx } from '#api/platform/database.ts';

export interface Device {
  id: string;
  user_id: string;
  key_encrypted: Buffer;
  revoked_at: Date | null;
}

const COLUMNS = ['id', 'user_id', 'key_encrypted', 'revoked_at'] as const;

/** Keeps the first key of an installation: a repeated call gets the row that is there. */
export async function insertDevice(
  trx: Trx,
  device: { id: string; user_id: string; installation_id: string; name: string; key_encrypted: Buffer },
): Promise<Device> {
  return trx
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'installation_id']).doUpdateSet((eb) => ({ name: eb.ref('excluded.name') })),
    )
    .returning(COLUMNS)
    .executeTakeFirstOrThrow();
}

export async function findDevice(database: Database | Trx, id: string): Promise<Device | undefined> {
  return database.selectFrom('devices').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

export async function listDevicesOf(database: Database, user_ids: string[]): Promise<Device[]> {
  if (user_ids.length === 0) return [];
  return database
    .selectFrom('devices')
    .select(COLUMNS)
    .where('user_id', 'in', user_ids)
    .where('revoked_at', 'is', null)
    .execute();
}

/**
 * Installations of a user that hold a live key, without the one that asks. Holds the user's row, so that two that ask
 * at once are counted one after the other.
 */
export async function countOtherDevices(trx: Trx, user_id: string, installation_id: string): Promise<number> {
  await trx.selectFrom('users').select('id').where('id', '=', user_id).forNoKeyUpdate().execute();
  const row = await trx
    .selectFrom('devices')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('installation_id', '!=', installation_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow();
  return row.count;
}
