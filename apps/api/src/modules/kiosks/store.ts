import type { Sport } from '@sendlap/domain/sports.ts';
import { sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';

export interface EncryptedDayKey {
  id: string;
  kiosk_id: string;
  /** Local date of the center. */
  day: string;
  key_encrypted: Buffer;
}

export async function insertKiosk(
  trx: Trx,
  kiosk: { id: string; sport_center_id: string; token_hash: Buffer; last_used_at: Date },
): Promise<void> {
  await trx.insertInto('kiosks').values(kiosk).execute();
}

export async function findKioskByToken(database: Database | Trx, token_hash: Buffer) {
  return database
    .selectFrom('kiosks')
    .select(['id', 'sport_center_id', 'last_used_at'])
    .where('token_hash', '=', token_hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

export async function updateLastUse(database: Database, id: string, now: Date): Promise<void> {
  await database.updateTable('kiosks').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** Revokes all kiosks of a center; returns their number. */
export async function revokeKiosks(database: Database | Trx, sport_center_id: string, now: Date): Promise<number> {
  const result = await database
    .updateTable('kiosks')
    .set({ revoked_at: now })
    .where('sport_center_id', '=', sport_center_id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Whether a center has a kiosk that sent a request after this moment. */
export async function hasKioskSeenAfter(database: Database, sport_center_id: string, after: Date): Promise<boolean> {
  const kiosk = await database
    .selectFrom('kiosks')
    .select('id')
    .where('sport_center_id', '=', sport_center_id)
    .where('revoked_at', 'is', null)
    .where('last_used_at', '>', after)
    .limit(1)
    .executeTakeFirst();
  return kiosk !== undefined;
}

/** Ordered by day. */
export async function listKeys(
  database: Database | Trx,
  kiosk_id: string,
  { from, to }: { from: string; to: string },
): Promise<EncryptedDayKey[]> {
  return database
    .selectFrom('kiosk_keys')
    .select(['id', 'kiosk_id', 'day', 'key_encrypted'])
    .where('kiosk_id', '=', kiosk_id)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .orderBy('day')
    .execute();
}

/** Adds the keys of days without one: of two concurrent calls the first one's keys stay. */
export async function insertKeys(database: Database | Trx, keys: EncryptedDayKey[]): Promise<void> {
  await database
    .insertInto('kiosk_keys')
    .values(keys)
    .onConflict((conflict) => conflict.columns(['kiosk_id', 'day']).doNothing())
    .execute();
}

/** Deletes the keys of past days. */
export async function deleteKeysBefore(database: Database | Trx, kiosk_id: string, day: string): Promise<void> {
  await database.deleteFrom('kiosk_keys').where('kiosk_id', '=', kiosk_id).where('day', '<', day).execute();
}

/** Returns a key of a kiosk that is not revoked, with the center and day of its validity. */
export async function findActiveKey(
  executor: Database | Trx,
  key_id: string,
): Promise<(EncryptedDayKey & { sport_center_id: string; time_zone: string }) | undefined> {
  const { rows } = await sql<EncryptedDayKey & { sport_center_id: string; time_zone: string }>`
    select k.id, k.kiosk_id, k.day, k.key_encrypted, kiosks.sport_center_id, c.time_zone
    from kiosk_keys k join kiosks on kiosks.id = k.kiosk_id join sport_centers c on c.id = kiosks.sport_center_id
    where k.id = ${key_id} and kiosks.revoked_at is null`.execute(executor);
  return rows[0];
}

export interface KioskCenter {
  id: string;
  name: string;
  city: string | null;
  time_zone: string;
  sports: Sport[];
}

/** Returns the center of a kiosk, closed or not. It exists, because centers are never deleted. */
export async function findCenter(executor: Database | Trx, id: string): Promise<KioskCenter> {
  const { rows } = await sql<KioskCenter>`
    select c.id, c.name, c.city, c.time_zone,
      array(select distinct f.type from sport_facilities f where f.sport_center_id = c.id order by 1) as sports
    from sport_centers c where c.id = ${id}`.execute(executor);
  const [center] = rows;
  if (!center) throw new Error(`no sport center ${id}`);
  return center;
}
