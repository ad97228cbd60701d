import { createHmac, randomUUID } from 'node:crypto';
import { toBase64Url } from '@sendlap/domain/bytes.ts';
import {
  ACTIVITY_TIME_STEP_MS,
  type ActivityCode,
  appendMac,
  encodeActivityCode,
  MAC_BYTES,
  timeStepAt,
  toDigits,
} from '@sendlap/domain/qr-code.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import type { Database } from '#api/database/database.ts';
import { toSearchColumns } from '#api/modules/sport-centers/search-columns.ts';

/** A real location in Bilbao, in the zone Europe/Madrid. */
export async function makeCenter(database: Database, sports: Sport[] = ['climbing', 'swimming']): Promise<string> {
  const id = randomUUID();
  const texts = { name: `Polideportivo ${id.slice(0, 4)}`, other_names: [], city: 'Bilbao', address: null };
  await database
    .insertInto('sport_centers')
    .values({
      id,
      ...texts,
      ...toSearchColumns(texts, []),
      country: 'ES',
      latitude: 43.26,
      longitude: -2.93,
      phone: null,
      url: null,
      is_private: null,
      time_zone: 'Europe/Madrid',
      source: 'test',
      source_ref: id,
      licence: 'CC0-1.0',
      attribution: 'test',
      content_hash: '',
    })
    .execute();
  await database
    .insertInto('sport_facilities')
    .values(sports.map((type) => ({ id: randomUUID(), sport_center_id: id, type })))
    .execute();
  return id;
}

/** Makes two users friends; returns the id of the friendship. */
export async function befriend(
  database: Database,
  one: { user: { id: string } },
  other: { user: { id: string } },
): Promise<string> {
  const id = randomUUID();
  const [user_low = '', user_high = ''] = [one.user.id, other.user.id].sort();
  await database.insertInto('friendships').values({ id, user_low, user_high }).execute();
  return id;
}

export interface SignedCode {
  payload: string;
  digits: string;
}

/** The code of an activity as the athlete's device creates it, signed with the device's key (base64url). */
export function signCode(code: ActivityCode, key: string): SignedCode {
  const body = encodeActivityCode(code);
  const mac = createHmac('sha256', Buffer.from(key, 'base64url')).update(body).digest();
  return { payload: toBase64Url(appendMac(body, mac.subarray(0, MAC_BYTES))), digits: toDigits(mac) };
}

/** The time step that a right clock shows at this moment. */
export function stepOf(at: Date): number {
  return timeStepAt(at.getTime(), ACTIVITY_TIME_STEP_MS);
}
