import { nextState } from '@sendlap/domain/activity-states.ts';
import { AppError } from '#api/platform/errors.ts';
import { assertNoneActive, assertNoOverlap } from '../record/checks.ts';
import type { OpContext } from '../record/context.ts';
import { refusalOf, rowOrThrow } from '../record/refusals.ts';
import type { ActivityRow, OpInputs } from '../record/store.ts';
import type { Change } from './stages.ts';

/**
 * Undoes the finish, so that the activity runs on; the intensity set with the finish stays. The device decides how long
 * this is offered: its ops may arrive much later.
 */
export function reopenActivity(context: OpContext, { row: found, decisions, others }: OpInputs): Change {
  const before = rowOrThrow(found);
  const next = nextState(before.status, 'reopen');
  if ('error' in next) throw refusalOf(next.error);
  if (before.status === next.state) return { before, row: before };
  if (decisions.length > 0) throw new AppError('activity_already_finished', 'This activity has been decided');
  assertNoneActive(others);
  const row: ActivityRow = {
    ...before,
    status: next.state,
    ended_at: null,
    paused_s: null,
    distance_m: null,
    venue_ended_at: null,
    proof_note: isNoteOfFinish(before) ? null : before.proof_note,
  };
  assertNoOverlap(context.sport_centers, row, others);
  return { before, row };
}

/** Beside a start scan that counts, only a finish notes why there is no venue proof. */
function isNoteOfFinish({ venue_started_at, proof_note }: ActivityRow): boolean {
  return venue_started_at !== null || proof_note === 'venue_scan_missing';
}
