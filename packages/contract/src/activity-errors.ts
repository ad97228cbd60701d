import type { ErrorCode } from './wire/errors.ts';

const CENTER = ['sport_center_not_found', 'sport_center_closed', 'sport_not_offered'] as const;
const TIMES = ['activity_in_future', 'activity_overlap'] as const;
const DURATION = ['activity_duration_invalid', 'activity_pause_invalid'] as const;
/** Of any op: its `op_id` was used for another one. */
const OP = 'idempotency_mismatch';

/**
 * Codes of the calls that record or decide an activity. A queued op (`syncActivities`) gets the same as its outcome, and a
 * queued scan also `payload_mismatch`. `reopen` is only queued, and has no call.
 */
export const ACTIVITY_ERRORS = {
  start: [OP, ...CENTER, ...TIMES, 'activity_already_active', 'activity_deleted', 'activity_too_old', 'conflict'],
  finish: [OP, ...TIMES, ...DURATION, 'activity_not_found', 'activity_already_finished', 'activity_deleted'],
  edit: [
    OP,
    ...CENTER,
    ...TIMES,
    ...DURATION,
    'activity_not_found',
    'activity_deleted',
    'activity_not_finished',
    'activity_rejected',
    'activity_too_old',
  ],
  delete: [OP, 'activity_not_found'],
  appeal: [OP, ...TIMES, 'activity_not_found', 'activity_deleted', 'activity_not_rejected', 'appeal_used'],
  withdraw: [OP, 'decision_not_found', 'decision_not_in_force', 'decision_too_old', 'activity_overlap'],
  validate: [
    OP,
    ...CENTER,
    ...TIMES,
    'too_many_requests',
    // the code
    'code_expired',
    'code_forged',
    'code_kind_unsupported',
    'code_replayed',
    'code_unreadable',
    'digits_unknown',
    'device_revoked',
    'device_unknown',
    // the scan
    'scan_in_future',
    'scan_too_old',
    'scan_withdrawn',
    'clock_jumped',
    'adjust_invalid',
    'validation_window_closed',
    // the scanner
    'own_activity',
    'not_a_referee',
    'sport_not_refereed',
    'referee_own_installation',
    'peer_too_new',
    'peer_too_soon',
    'peer_not_there',
    'peer_cannot_decide',
    'pair_limit_reached',
    'referee_limit_reached',
    'appeal_needs_another_referee',
    // the activity
    'activity_already_validated',
    'activity_deleted',
    'activity_duration_invalid',
    'activity_edited',
    'activity_not_finished',
    'activity_rejected',
  ],
} as const satisfies Record<string, readonly ErrorCode[]>;
