import { randomUUID } from 'node:crypto';
import type { Op } from '@sendlap/contract/activities.ts';
import { nextState } from '@sendlap/domain/activity-states.ts';
import type { VenueLimit } from '@sendlap/domain/proof/fair-proof.ts';
import { MAX_ACTIVITY_DURATION_MS } from '@sendlap/domain/scan-checks.ts';
import type { Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { redistributePoints, withDecisions } from '../points/redistribute-points.ts';
import { limitVenueProof } from '../proofs/limit-venue-proof.ts';
import { type VenueScanResult, verifyVenueScan } from '../proofs/verify-venue-scan.ts';
import {
  assertDistanceAllowed,
  assertNoOverlap,
  assertNotInFuture,
  assertPauseWithin,
  assertValidDuration,
  resolveCenterDay,
} from '../record/checks.ts';
import type { OpContext } from '../record/context.ts';
import { factsOf } from '../record/facts.ts';
import { catchRefusal, refusalOf, rowOrThrow } from '../record/refusals.ts';
import type { ActivityRow, DecisionRow, Facts, OpInputs } from '../record/store.ts';
import type { Change } from './stages.ts';

type FinishOp = Extract<Op, { kind: 'finish' }>;

export async function finishActivity(trx: Trx, context: OpContext, op: FinishOp, found: OpInputs): Promise<Change> {
  const before = rowOrThrow(found.row);
  const next = nextState(before.status, 'finish');
  if ('error' in next) throw refusalOf(next.error);
  const ended_at = new Date(op.ended_at);
  assertNotInFuture(ended_at, context.now());
  assertValidDuration(before.started_at, ended_at);
  assertDistanceAllowed(before.sport_type, op.distance_m);
  const venue = op.venue_scan && (await verifyVenueScan(trx, context, op.venue_scan, before.sport_center_id));
  const row: ActivityRow = {
    ...before,
    status: next.state,
    ended_at,
    paused_s: op.paused_s || null,
    intensity: op.intensity ?? before.intensity,
    distance_m: op.distance_m ?? null,
    venue_ended_at: venue?.received_at ?? null,
    proof_note: before.proof_note ?? venue?.refusal_code ?? missingScan(before, venue),
  };
  assertPauseWithin(row);
  assertNoOverlap(context.sport_centers, row, found.others);
  const facts = await catchRefusal(async () => clampToScans(context, row));
  if (facts === undefined) return { before, row, venue };
  if (facts instanceof AppError) return { before, row: { ...row, proof_note: facts.code }, venue };
  const { facts: proven, limit } = await limitVenueProof(trx, row, facts, venue);
  const decided = venueDecision(row, op, proven, limit);
  const limited = { ...row, proof_note: limit };
  const redistribution = redistributePoints(before, withDecisions(limited, [decided]), found.others);
  return { before, row: redistribution.row, redistribution, decided, venue };
}

/** A venue proof needs both scans. */
function missingScan(before: ActivityRow, venue: VenueScanResult | undefined): string | null {
  const [at_start, at_end] = [before.venue_started_at !== null, venue?.received_at !== undefined];
  return at_start === at_end ? null : 'venue_scan_missing';
}

/**
 * Clamps the times to those between the two scans; undefined: a scan is missing. When the athlete paused is not known: all
 * of it counts as between the scans. Throws if no time lies between them or more than an activity lasts, or if the center, by
 * a change since the start, had closed before the first scan or does not offer the sport.
 */
function clampToScans(context: OpContext, row: ActivityRow): Facts | undefined {
  const { venue_started_at, venue_ended_at, ended_at } = row;
  if (!venue_started_at || !venue_ended_at || !ended_at || row.proof_note !== null) return undefined;
  if (venue_ended_at.getTime() - venue_started_at.getTime() > MAX_ACTIVITY_DURATION_MS) {
    throw new AppError(
      'venue_code_late',
      "The kiosk's code of the finish was scanned more than 24 hours after the start",
    );
  }
  const started_at = venue_started_at > row.started_at ? venue_started_at : row.started_at;
  const clamped: ActivityRow = { ...row, started_at, ended_at: venue_ended_at < ended_at ? venue_ended_at : ended_at };
  if (clamped.ended_at === null || clamped.ended_at <= started_at) throw refusalOf('activity_duration_invalid');
  const clamped_s = Math.floor((clamped.ended_at.getTime() - started_at.getTime()) / 1000);
  return {
    ...factsOf(clamped),
    paused_s: Math.min(row.paused_s ?? 0, clamped_s) || null,
    ...resolveCenterDay(context.sport_centers, row.sport_center_id, row.sport_type, started_at),
  };
}

function venueDecision(row: ActivityRow, op: FinishOp, facts: Facts, limit: VenueLimit | null): DecisionRow {
  const at = row.venue_ended_at ?? row.updated_at;
  return {
    id: randomUUID(),
    athlete_id: row.user_id,
    activity_id: row.id,
    scanner_id: null,
    op_id: op.op_id,
    method: limit === null ? 'venue' : 'peer',
    decision: 'confirm',
    scanned_at: at,
    step: null,
    facts,
    reason: null,
    received_at: at,
    decided_at: at,
    withdrawn_at: null,
    withdrawn_because: null,
  };
}
