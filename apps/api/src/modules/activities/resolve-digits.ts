import { toBase64Url } from '@sendlap/domain/bytes.ts';
import {
  ACTIVITY_STEP_MS,
  digitsOf,
  encodeActivityCode,
  MAC_BYTES,
  sealCode,
  stepAt,
} from '@sendlap/domain/qr-code.ts';
import { VALIDATION_WINDOW_MS } from '@sendlap/domain/scan-checks.ts';
import type { Database } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ScanContext } from './scan.ts';
import { listOpenActivities } from './store.ts';

const MAX_WRONG_AN_HOUR = 10;
const HOUR_MS = 3_600_000;
type OpenActivity = Awaited<ReturnType<typeof listOpenActivities>>[number];

/**
 * Finds the code that 8 typed digits stand for, among the unvalidated activities of the centers that the caller
 * referees: the digits are the HMAC of a code modulo 10^8, so every candidate is computed and compared.
 */
export function createDigitResolver(context: ScanContext & { database: Database }) {
  const wrong = new Map<string, { count: number; until_ms: number }>();

  function count(user_id: string, now_ms: number): { count: number } {
    const known = wrong.get(user_id);
    const entry = known && known.until_ms > now_ms ? known : { count: 0, until_ms: now_ms + HOUR_MS };
    wrong.set(user_id, entry);
    entry.count += 1;
    return entry;
  }

  return async (user_id: string, digits: string): Promise<{ payload: string; activity_id: string }> => {
    const now_ms = context.now().getTime();
    const entry = wrong.get(user_id);
    if (entry && entry.until_ms > now_ms && entry.count >= MAX_WRONG_AN_HOUR) {
      const retry_after_s = Math.ceil((entry.until_ms - now_ms) / 1000);
      throw new AppError('too_many_requests', 'Too many wrong codes; scan the QR instead', { retry_after_s });
    }
    // Counted before the look-up and taken back after a hit, so that guesses sent all at once count too.
    const guess = count(user_id, now_ms);
    const found = await findCode(context, user_id, digits, now_ms).catch((error: unknown) => {
      guess.count -= 1;
      throw error;
    });
    if (!found) throw new AppError('digits_unknown', 'No activity at your centers shows this code now');
    guess.count -= 1;
    return found;
  };
}

async function findCode(
  context: ScanContext & { database: Database },
  user_id: string,
  digits: string,
  now_ms: number,
) {
  const rights = await context.referees.listMyRefereeRights(user_id, new Date(now_ms));
  const center_ids = rights.map((right) => right.sport_center_id);
  const activities = await listOpenActivities(context.database, center_ids, new Date(now_ms - VALIDATION_WINDOW_MS));
  const others = activities.filter((activity) => activity.user_id !== user_id);
  const signers = await context.devices.macsOf([...new Set(others.map((activity) => activity.user_id))]);
  const step = stepAt(now_ms, ACTIVITY_STEP_MS);
  for (const activity of others) {
    for (const signer of signers.filter((one) => one.user_id === activity.user_id)) {
      for (const shown of [step, step - 1, step + 1]) {
        const body = encodeActivityCode(codeOf(activity, signer.key_id, shown));
        const mac = signer.sign(body);
        if (digitsOf(mac) !== digits) continue;
        return { payload: toBase64Url(sealCode(body, mac.subarray(0, MAC_BYTES))), activity_id: activity.id };
      }
    }
  }
  return undefined;
}

/** The code as the athlete's device draws it. */
function codeOf(activity: OpenActivity, key_id: string, step: number) {
  return {
    activity_id: activity.id,
    public_id: activity.public_id,
    display_name: activity.user_name,
    sport_center_id: activity.sport_center_id,
    sport_type: activity.sport_type,
    started_at: activity.started_at.getTime(),
    ended_at: (activity.ended_at ?? activity.started_at).getTime(),
    intensity: activity.intensity,
    distance_m: activity.distance_m,
    step,
    key_id,
  };
}
