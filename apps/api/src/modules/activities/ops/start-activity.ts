import type { Op } from '@sendlap/contract/activities.ts';
import { RULE_VERSION } from '@sendlap/domain/scoring.ts';
import type { Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { verifyVenueScan } from '../proofs/verify-venue-scan.ts';
import { assertNoneActive, assertNoOverlap, assertStartInRange, resolveCenterDay } from '../record/checks.ts';
import type { OpContext } from '../record/context.ts';
import type { ActivityRow, OpInputs } from '../record/store.ts';
import type { Change } from './stages.ts';

type StartOp = Extract<Op, { kind: 'start' }>;

export async function startActivity(
  trx: Trx,
  context: OpContext,
  user_id: string,
  op: StartOp,
  { row, others }: OpInputs,
): Promise<Change> {
  const now = context.now();
  const started_at = new Date(op.started_at);
  assertStartInRange(started_at, now);
  const stamp = resolveCenterDay(context.sport_centers, op.sport_center_id, op.sport_type, started_at);
  if (row?.status === 'deleted') throw new AppError('activity_deleted', 'This activity was deleted');
  if (row) throw new AppError('conflict', 'This activity was started before');
  assertNoneActive(others);
  const venue = op.venue_scan && (await verifyVenueScan(trx, context, op.venue_scan, op.sport_center_id));
  const started: ActivityRow = {
    ...notDecided(now),
    ...stamp,
    id: op.client_id,
    user_id,
    sport_center_id: op.sport_center_id,
    sport_type: op.sport_type,
    started_at,
    intensity: op.intensity ?? null,
    venue_started_at: venue?.received_at ?? null,
    venue_start_code: venue?.code ?? null,
    proof_note: venue?.refusal_code ?? null,
  };
  assertNoOverlap(context.sport_centers, started, others);
  return { row: started, before: undefined, venue };
}

function notDecided(now: Date) {
  return {
    ended_at: null,
    paused_s: null,
    status: 'active' as const,
    validation: 'none' as const,
    intensity_confirmed: false,
    distance_m: null,
    points: 0,
    counted_minutes: null,
    rule_version: RULE_VERSION,
    validated_at: null,
    decision_id: null,
    decided_by: null,
    rejection_id: null,
    declared: null,
    edited_at: null,
    appealed_at: null,
    appeal_reason: null,
    rejected_reason: null,
    venue_ended_at: null,
    created_at: now,
    updated_at: now,
  };
}
