import { toBase64Url } from '@sendlap/domain/bytes.ts';
import { HOUR_MS } from '@sendlap/domain/durations.ts';
import {
  ACTIVITY_TIME_STEP_MS,
  appendMac,
  encodeActivityCode,
  MAC_BYTES,
  timeStepAt,
  toDigits,
} from '@sendlap/domain/qr-code.ts';
import { VALIDATION_WINDOW_MS } from '@sendlap/domain/scan-checks.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpContext } from '../record/context.ts';
import { type ConfirmableActivity, listConfirmableActivities } from './confirmable-activities.ts';

const MAX_WRONG_AN_HOUR = 10;

export interface FoundCode {
  payload: string;
  activity_id: string;
}

interface GuessWindow {
  until_ms: number;
  /** Look-ups in flight, by their digits; with `wrong` they count towards the limit. */
  in_flight: Map<string, Promise<FoundCode>>;
  wrong: Set<string>;
}

/**
 * Finds the code of 8 typed digits (its HMAC modulo 10^8) among the unvalidated activities that the caller may confirm:
 * at the centers they referee, and of friends who were there with them. Rate limit: ten wrong guesses an hour and ten
 * look-ups at a time; the same digits sent again are one guess.
 */
export function createDigitResolver(context: OpContext) {
  const guesses = new Map<string, GuessWindow>();

  function guessWindowOf(user_id: string, now_ms: number): GuessWindow {
    const known = guesses.get(user_id);
    if (known && (known.until_ms > now_ms || known.in_flight.size > 0)) return known;
    if (guesses.size > 10_000) for (const [id, one] of guesses) if (one.until_ms <= now_ms) guesses.delete(id);
    const fresh: GuessWindow = { until_ms: now_ms + HOUR_MS, in_flight: new Map(), wrong: new Set() };
    guesses.set(user_id, fresh);
    return fresh;
  }

  return async (user_id: string, digits: string): Promise<FoundCode> => {
    const now_ms = context.now().getTime();
    const guess_window = guessWindowOf(user_id, now_ms);
    const running = guess_window.in_flight.get(digits);
    if (running !== undefined) return running;
    // In-flight look-ups count from their start, so that guesses sent all at once count too.
    if (!guess_window.wrong.has(digits) && guess_window.wrong.size + guess_window.in_flight.size >= MAX_WRONG_AN_HOUR) {
      const retry_after_s = Math.max(1, Math.ceil((guess_window.until_ms - now_ms) / 1000));
      throw new AppError('too_many_requests', 'Too many wrong codes; scan the QR instead', { retry_after_s });
    }
    const lookup = findCodeByDigits(context, user_id, digits, now_ms).then((found) => {
      if (found) return found;
      guess_window.wrong.add(digits);
      throw new AppError('digits_unknown', 'No one you can confirm is showing this code');
    });
    guess_window.in_flight.set(digits, lookup);
    try {
      return await lookup;
    } finally {
      guess_window.in_flight.delete(digits);
    }
  };
}

async function findCodeByDigits(context: OpContext, user_id: string, digits: string, now_ms: number) {
  const since = new Date(now_ms - VALIDATION_WINDOW_MS);
  const activities = await listConfirmableActivities(context.database, user_id, new Date(now_ms), since);
  const signers = await context.devices.listSigners([...new Set(activities.map((activity) => activity.user_id))]);
  const step = timeStepAt(now_ms, ACTIVITY_TIME_STEP_MS);
  for (const activity of activities) {
    for (const signer of signers.filter((one) => one.user_id === activity.user_id)) {
      for (const shown_step of [step, step - 1, step + 1]) {
        const body = encodeActivityCode(codeOf(activity, signer.key_id, shown_step));
        const mac = signer.sign(body);
        if (toDigits(mac) !== digits) continue;
        return { payload: toBase64Url(appendMac(body, mac.subarray(0, MAC_BYTES))), activity_id: activity.id };
      }
    }
  }
  return undefined;
}

/** The fields of the code, as the athlete's device signs them. */
function codeOf(
  { id, user_name, started_at, ended_at, ...code_fields }: ConfirmableActivity,
  key_id: string,
  step: number,
) {
  return {
    ...code_fields,
    activity_id: id,
    display_name: user_name,
    started_at: started_at.getTime(),
    ended_at: (ended_at ?? started_at).getTime(),
    step,
    key_id,
  };
}
