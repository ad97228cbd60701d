import type { Activity } from '@sendlap/contract/activities.ts';
import type { User } from '@sendlap/contract/users.ts';
import type { Bytes } from '@sendlap/domain/bytes.ts';
import { appendMac, encodeActivityCode, MAC_BYTES, qrUrl } from '@sendlap/domain/qr-code.ts';
import { activityCodeOf } from '#web/features/qr/code/activity-code.ts';
import { DEVICE_KEY_ID } from '../models/signed-in.ts';

/** Returns the path that the phone's own camera opens after reading this code. */
export function pathOfCode(bytes: Bytes): string {
  const { pathname, hash } = new URL(qrUrl('https://sendlap.test', bytes));
  return pathname + hash;
}

/** The code that an athlete's phone shows now. Its MAC is not real: only the server could tell. */
export function activityCode(activity: Activity & { ended_at: string }, athlete: User, now: string): Bytes {
  const body = encodeActivityCode(activityCodeOf(activity, athlete, DEVICE_KEY_ID, Date.parse(now)));
  return appendMac(body, new Uint8Array(MAC_BYTES));
}
