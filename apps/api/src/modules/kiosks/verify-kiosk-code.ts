import { createHmac, timingSafeEqual } from 'node:crypto';
import { localDate } from '@sendlap/domain/dates.ts';
import { decodeCode, MAC_BYTES, timeStepAt, VENUE_TIME_STEP_MS } from '@sendlap/domain/qr-code.ts';
import type { Database, Trx } from '#api/database/database.ts';
import type { Secrets } from '#api/database/secrets.ts';
import { AppError } from '#api/platform/errors.ts';
import { decryptDayKey } from './day-keys.ts';
import { findActiveKey } from './store.ts';

/**
 * Returns the kiosk that showed this signed code, its center and the code's time step. Throws `code_unreadable`, `code_kind_unsupported`,
 * `device_unknown` (no such key, or a revoked kiosk), `code_forged`, and `venue_code_late` unless the server received
 * it within its 15 s step, one before or one after: a photograph is of no use.
 */
export async function verifyKioskCode(
  executor: Database | Trx,
  secrets: Secrets,
  bytes: Uint8Array,
  received_at: Date,
): Promise<{ kiosk_id: string; sport_center_id: string; step: number }> {
  const read = decodeCode(bytes);
  if (!read) throw new AppError('code_unreadable', 'This is not a code of this app');
  if (read.kind !== 'venue') throw new AppError('code_kind_unsupported', "This is not a kiosk's code");
  const { code, body, mac } = read;
  const key = await findActiveKey(executor, code.key_id);
  if (!key) throw new AppError('device_unknown', 'This code comes from a kiosk that is not known');
  const expected = createHmac('sha256', decryptDayKey(secrets, key)).update(body).digest().subarray(0, MAC_BYTES);
  // A key belongs to one center and one of its days.
  const day = localDate(code.step * VENUE_TIME_STEP_MS, key.time_zone);
  if (!timingSafeEqual(expected, mac) || code.sport_center_id !== key.sport_center_id || day !== key.day) {
    throw new AppError('code_forged', 'This code was not made by the kiosk that it names');
  }
  const steps_off = Math.abs(timeStepAt(received_at.getTime(), VENUE_TIME_STEP_MS) - code.step);
  if (steps_off > 1) throw new AppError('venue_code_late', "The kiosk's code has changed since; scan the new one");
  return { kiosk_id: key.kiosk_id, sport_center_id: key.sport_center_id, step: code.step };
}
