import type { Activity } from '@sendlap/contract/activities.ts';
import type { User } from '@sendlap/contract/users.ts';
import type { Bytes } from '@sendlap/domain/bytes.ts';
import {
  ACTIVITY_TIME_STEP_MS,
  type ActivityCode,
  appendMac,
  encodeActivityCode,
  qrUrl,
  timeStepAt,
  toDigits,
} from '@sendlap/domain/qr-code.ts';
import { confirmationDeadline } from '@sendlap/domain/scan-checks.ts';

/**
 * An activity from the server or still in the outbox. `started_at` and `ended_at` must be the exact texts of the start
 * and finish ops: the code holds their whole seconds (rounded down), and the server resolves typed digits by computing
 * the same code from the ops.
 */
export type ShownActivity = Omit<Activity, 'rule_version' | 'score' | 'can_appeal' | 'proof_note'>;
export type FinishedActivity = ShownActivity & { ended_at: string };
export type Athlete = Pick<User, 'id' | 'name' | 'public_id'>;

export type SignBody = (body: Bytes) => Promise<{ mac16: Uint8Array; mac32: Uint8Array }>;

/** The code shown during one time step. */
export interface SignedCode {
  /** The text inside the QR. */
  url: string;
  /** 8 digits that represent the same code. */
  digits: string;
  time_step: number;
}

/** The code of a finished activity at a moment (ms epoch, corrected clock). */
export function activityCodeOf(
  activity: FinishedActivity,
  athlete: Athlete,
  key_id: string,
  now_ms: number,
): ActivityCode {
  return {
    activity_id: activity.client_id,
    public_id: athlete.public_id,
    display_name: athlete.name,
    sport_center_id: activity.sport_center_id,
    sport_type: activity.sport_type,
    started_at: Date.parse(activity.started_at),
    ended_at: Date.parse(activity.ended_at),
    paused_s: activity.paused_s,
    intensity: activity.intensity,
    distance_m: activity.distance_m,
    step: timeStepAt(now_ms, ACTIVITY_TIME_STEP_MS),
    key_id,
  };
}

/** Whether it is too late to confirm the activity. `now_ms`: this device's best estimate of server time. */
export function isTooLateToConfirm(
  activity: Pick<FinishedActivity, 'ended_at' | 'appealed_at'>,
  now_ms: number,
): boolean {
  return now_ms > confirmationDeadline(activity);
}

/** Signs a code and formats it as link and digits. Throws RangeError if ids or times do not fit into a code. */
export async function createSignedCode(code: ActivityCode, origin: string, sign: SignBody): Promise<SignedCode> {
  const body = encodeActivityCode(code);
  const { mac16, mac32 } = await sign(body);
  return { url: qrUrl(origin, appendMac(body, mac16)), digits: toDigits(mac32), time_step: code.step };
}
