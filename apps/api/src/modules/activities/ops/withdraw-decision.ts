import type { Op } from '@sendlap/contract/activities.ts';
import type { Database } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { redistributePoints, withDecisions } from '../points/redistribute-points.ts';
import { findOverlap } from '../record/checks.ts';
import { factsOf } from '../record/facts.ts';
import { rowOrThrow } from '../record/refusals.ts';
import type { ActivityRow, DecisionRow, OpInputs } from '../record/store.ts';
import type { Change } from './stages.ts';

const WITHDRAWABLE_MS = 24 * 3_600_000;

/** Until when (ms epoch) a scanner may withdraw this decision. */
export function withdrawableUntil(decided_at: Date): number {
  return decided_at.getTime() + WITHDRAWABLE_MS;
}

/** Returns the athlete whose activity this op is about; undefined if the user sent no such scan with a proven code. */
export async function findScannedAthlete(
  database: Database,
  user_id: string,
  { client_id, scan_op_id }: Extract<Op, { kind: 'withdraw' }>,
): Promise<string | undefined> {
  const row = await database
    .selectFrom('activity_ops')
    .select('athlete_id')
    .where('user_id', '=', user_id)
    .where('op_id', '=', scan_op_id)
    .where('kind', '=', 'scan')
    .where('activity_id', '=', client_id)
    .executeTakeFirst();
  return row?.athlete_id ?? undefined;
}

/**
 * Checks a withdrawal by the scanner, possible for one day. Throws `decision_not_found`, `decision_not_in_force`,
 * `decision_too_old`.
 */
export function checkWithdrawal(found: OpInputs, scanner_id: string, scan_op_id: string, now: Date): DecisionRow {
  const decision = found.decisions.find((one) => one.scanner_id === scanner_id && one.op_id === scan_op_id);
  if (!decision) throw new AppError('decision_not_found', 'There is no decision of yours by this number');
  checkInForce(found, decision);
  if (now.getTime() > withdrawableUntil(decision.decided_at)) {
    throw new AppError('decision_too_old', 'A decision can be taken back for 24 hours');
  }
  return decision;
}

export function checkInForce({ row }: OpInputs, decision: DecisionRow): void {
  if (row?.decision_id === decision.id) return;
  throw new AppError('decision_not_in_force', 'This decision is no longer in force');
}

/** Withdraws a decision in force: reverses its points; the activity needs a new proof. */
export function withdrawDecision(
  { row, decisions, others }: OpInputs,
  taken: { id: string; at: Date; because: 'scanner' | 'operator' },
): Change {
  const before = rowOrThrow(row);
  const after = decisions.map((one) =>
    one.id === taken.id ? { ...one, withdrawn_at: taken.at, withdrawn_because: taken.because } : one,
  );
  const restored = withDecisions(before, after);
  const redistribution = redistributePoints(before, restoreOwnTimes(before, restored, after, others), others);
  const withdrawn = after.find(({ id }) => id === taken.id);
  return { before, row: redistribution.row, redistribution, ...(withdrawn ? { withdrawn } : {}) };
}

/**
 * Restores the athlete's own times unless another activity has taken that time since: then the proven times stay. If
 * those are taken too (a rejected activity occupies no time), throws `activity_overlap`.
 */
function restoreOwnTimes(before: ActivityRow, restored: ActivityRow, decisions: DecisionRow[], others: ActivityRow[]) {
  // A deleted activity can have its rejection withdrawn, and occupies no time.
  if (restored.status === 'deleted' || !findOverlap(restored, others)) return restored;
  const kept = withDecisions(before, decisions, { ...factsOf(before), intensity_confirmed: false });
  if (!findOverlap(kept, others)) return kept;
  throw new AppError('activity_overlap', 'Another activity of the athlete has taken its place');
}
