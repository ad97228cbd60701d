import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { ActivityRefusal } from '@sendlap/domain/activity-states.ts';
import type { ScanRefusal } from '@sendlap/domain/scan-checks.ts';
import type { UserEvent } from '#api/events/event-store.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpEntry } from './op-writes.ts';
import type { ActivityRow } from './store.ts';

/** Messages of refused ops; the codes come from the rules in `domain`. */
const MESSAGES = {
  activity_not_finished: 'Finish first: a running activity cannot be confirmed',
  activity_already_finished: 'This activity is finished already',
  activity_already_validated: 'This activity is validated already',
  activity_rejected: 'This activity was rejected by a referee',
  activity_deleted: 'This activity was deleted',
  activity_not_decided: 'Nothing was decided about this activity yet',
  activity_not_rejected: 'Only a rejected activity can be appealed',
  appeal_used: 'An activity can be appealed once',
  activity_duration_invalid: 'An activity must end after its start, and within 24 hours of it',
  activity_in_future: 'This activity ends in the future; check the clock of the phone that shows the code',
  scan_in_future: 'This scan is in the future; check the clock of your device',
  code_expired: 'This code is too old; scan the one that is shown now',
  code_replayed: 'This code was used before; scan the one that is shown now',
  validation_window_closed: 'An activity can be confirmed for 12 hours after its end, or after an appeal',
} as const satisfies Record<ActivityRefusal | ScanRefusal, string> & Partial<Record<ErrorCode, string>>;

export function refusalOf(code: keyof typeof MESSAGES): AppError {
  return new AppError(code, MESSAGES[code]);
}

/** Throws `activity_not_found`. */
export function rowOrThrow(row: ActivityRow | undefined): ActivityRow {
  if (!row) throw new AppError('activity_not_found', 'Activity not found');
  return row;
}

export type OpOutcome = Pick<OpEntry, 'outcome' | 'code' | 'message'>;

export const ACCEPTED: OpOutcome = { outcome: 'accepted', code: null, message: null };

export function toRefusedOutcome(error: AppError): OpOutcome {
  return { outcome: 'rejected', code: error.code, message: error.message };
}

/** The event that tells a scanner the outcome of a scan. */
export function scanDecidedEvent(
  user_id: string,
  op_id: string,
  outcome: 'accepted' | 'rejected' | 'overtaken' | 'edited',
  code: string | null = null,
): UserEvent {
  return { user_id, event: { type: 'scan_decided', op_id, outcome, code } };
}

/** Returns refusals (4xx) as values; rethrows everything else. */
export async function catchRefusal<Value>(run: () => Promise<Value>): Promise<Value | AppError> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error;
    throw error;
  }
}
