import { randomBytes, randomUUID } from 'node:crypto';
import type { KioskKey } from '@sendlap/contract/kiosks.ts';
import { addDays, localDate } from '@sendlap/domain/dates.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { startOfDay } from '#api/platform/local-day.ts';
import { deleteKeysBefore, type EncryptedDayKey, insertKeys, listKeys } from './store.ts';

const KEY_BYTES = 32;
/** Today and the next seven days: how long a kiosk can show codes offline. */
const DAYS = 8;

/** Decrypts the key. Its context is the row's id and kiosk, so that a key copied between rows does not decrypt. */
export function decryptDayKey(secrets: Secrets, { id, kiosk_id, key_encrypted }: EncryptedDayKey): Buffer {
  return secrets.decrypt(key_encrypted, encryptionContextOf(id, kiosk_id));
}

/** Returns the keys of eight days of the zone, today's first. Missing keys are created and stored. */
export async function getOrCreateDayKeys(
  executor: Database | Trx,
  secrets: Secrets,
  { kiosk_id, time_zone }: { kiosk_id: string; time_zone: string },
  now: Date,
): Promise<KioskKey[]> {
  const today = localDate(now.getTime(), time_zone);
  const range = { from: today, to: addDays(today, DAYS - 1) };
  let keys = await listKeys(executor, kiosk_id, range);
  if (keys.length < DAYS) {
    const known = new Set(keys.map(({ day }) => day));
    const days = Array.from({ length: DAYS }, (_, number) => addDays(today, number));
    const missing = days.filter((day) => !known.has(day));
    await insertKeys(
      executor,
      missing.map((day) => createDayKey(secrets, kiosk_id, day)),
    );
    // A code from just before midnight may still be in flight.
    await deleteKeysBefore(executor, kiosk_id, addDays(today, -1));
    keys = await listKeys(executor, kiosk_id, range);
  }
  return keys.map((key) => ({
    key_id: key.id,
    key: decryptDayKey(secrets, key).toString('base64url'),
    valid_from: startOfDay(key.day, time_zone).toISOString(),
    valid_until: startOfDay(addDays(key.day, 1), time_zone).toISOString(),
  }));
}

function createDayKey(secrets: Secrets, kiosk_id: string, day: string): EncryptedDayKey {
  const id = randomUUID();
  return {
    id,
    kiosk_id,
    day,
    key_encrypted: secrets.encrypt(randomBytes(KEY_BYTES), encryptionContextOf(id, kiosk_id)),
  };
}

function encryptionContextOf(id: string, kiosk_id: string): string {
  return `day key ${id} of kiosk ${kiosk_id}`;
}
