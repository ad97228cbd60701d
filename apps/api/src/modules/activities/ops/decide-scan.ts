import { randomUUID } from 'node:crypto';
import {
  cannotAnswerAppeal,
  isVoid,
  lastTimeStepBefore,
  shouldStoreDecision,
} from '@sendlap/domain/decision-in-force.ts';
import {
  MAX_PAIR_CONFIRMATIONS,
  MAX_SCANNER_CONFIRMATIONS,
  type PeerProof,
  peerProofAllowedFrom,
} from '@sendlap/domain/proof/fair-proof.ts';
import { checkActivityScan } from '@sendlap/domain/scan-checks.ts';
import { isPauseWithin } from '@sendlap/domain/scoring.ts';
import { canHaveDistance } from '@sendlap/domain/sports.ts';
import { AppError } from '#api/platform/errors.ts';
import { historyOf, redistributePoints, toDecision, withDecisions } from '../points/redistribute-points.ts';
import { resolveScanMethod, type ScanMethod } from '../proofs/scan-method.ts';
import type { VerifiedScan } from '../proofs/verify-scan.ts';
import { assertValidDuration, findOverlap, resolveCenterDay } from '../record/checks.ts';
import type { OpContext } from '../record/context.ts';
import { timesOf } from '../record/facts.ts';
import { catchRefusal, refusalOf } from '../record/refusals.ts';
import type { ActivityRow, DecisionRow, Facts, OpInputs } from '../record/store.ts';
import type { Change, LoadedOp } from './stages.ts';

/** A week closes 15 days after its end; by then all its scans have arrived or are refused. */
const MAX_SCAN_AGE_MS = 14 * 86_400_000;
const LATE_MS = 60_000;
const TIME_IS_TAKEN = 'Another activity of the athlete has taken its place';

export interface ScanDecision {
  /** By which the scan would count; a referee's, if the scanner has no right. */
  method: ScanMethod;
  /** 'waiting' until the athlete's own ops have arrived. */
  change: Change | 'waiting' | AppError;
}

/**
 * Decides a proven scan. Writes nothing: a refusal changes nothing and uses nothing up. `check` is made before all others
 * and throws its refusal.
 */
export async function decideScan(
  context: OpContext,
  scan: VerifiedScan,
  loaded: LoadedOp,
  { check }: { check: () => void },
): Promise<ScanDecision> {
  const { scanner_rights } = loaded;
  if (!scanner_rights) throw new Error('the rights of the scanner were not loaded');
  const method_or_refusal = await catchRefusal(async () => resolveScanMethod(scan, scanner_rights));
  const change = await catchRefusal(async () => {
    check();
    if (method_or_refusal instanceof AppError) throw method_or_refusal;
    return decideByMethod(context, scan, method_or_refusal, loaded);
  });
  return { method: method_or_refusal instanceof AppError ? 'referee' : method_or_refusal, change };
}

function decideByMethod(
  context: OpContext,
  scan: VerifiedScan,
  method: ScanMethod,
  found: OpInputs,
): Change | 'waiting' {
  checkTimes(scan, method, found);
  const { row: before } = found;
  if (!before || before.status === 'active') return 'waiting';
  if (before.status === 'deleted') throw refusalOf('activity_deleted');
  const decided = decisionOf(context, scan, method, before);
  assertStorable(before, found.decisions, decided);
  const row = withDecisions(before, [...found.decisions, decided]);
  if (decided.decision === 'confirm') {
    // Do not reveal where else the athlete was.
    if (findOverlap(row, found.others)) throw new AppError('activity_overlap', TIME_IS_TAKEN);
    checkRejections(decided, found);
    if (method === 'peer') checkPeerSpacing(decided, row, found);
    checkCaps(row, found, scan.scanner_id);
  }
  const redistribution = redistributePoints(before, row, found.others);
  // The overtaken decision: the previous one, or this one if it came too late and is only stored.
  const is_late = before.decision_id === row.decision_id;
  const overtaken = is_late ? decided : found.decisions.find(({ id }) => id === before.decision_id);
  return { before, row: redistribution.row, redistribution, decided, overtaken };
}

function checkTimes(
  { op, code, scanned_at, received_at }: VerifiedScan,
  method: ScanMethod,
  { row, decisions }: OpInputs,
): void {
  const late_ms = received_at.getTime() - scanned_at.getTime();
  if (late_ms > MAX_SCAN_AGE_MS) throw new AppError('scan_too_old', 'A scan can be sent for 14 days');
  const scan = { scanned_at_ms: scanned_at.getTime(), op_id: op.op_id, method, decision: op.decision };
  const refusal = checkActivityScan({
    code_time_step: code.step,
    scanned_at_ms: scan.scanned_at_ms,
    // A scan that arrives late waited on the phone, whatever its flag says: the server or the network was down.
    recorded_offline: op.recorded_offline || late_ms > LATE_MS,
    started_at_ms: code.started_at,
    // A code without an end belongs to a running activity.
    ended_at_ms: code.ended_at === 0 ? null : code.ended_at,
    now_ms: received_at.getTime(),
    appealed_at_ms: method === 'referee' ? (row?.appealed_at?.getTime() ?? null) : null,
    last_accepted_time_step: lastTimeStepBefore(decisions.map(toDecision), scan),
  });
  if (refusal) throw refusalOf(refusal);
}

/** Builds the decision of this scan, with the facts of the code or of the referee's correction. */
function decisionOf(
  context: OpContext,
  scan: VerifiedScan,
  method: ScanMethod,
  before: ActivityRow,
): DecisionRow & { facts: Facts } {
  const { op, code } = scan;
  checkAdjustment(scan);
  const started_at = new Date(code.started_at);
  const ended_at = op.adjust?.ended_at ? new Date(op.adjust.ended_at) : new Date(code.ended_at);
  if (op.decision === 'confirm') assertValidDuration(started_at, ended_at);
  const stamp =
    op.decision === 'confirm'
      ? resolveCenterDay(context.sport_centers, code.sport_center_id, code.sport_type, started_at)
      : { sport_center_name: before.sport_center_name, local_date: before.local_date, week_key: before.week_key };
  return {
    id: randomUUID(),
    athlete_id: scan.athlete_id,
    activity_id: before.id,
    scanner_id: scan.scanner_id,
    op_id: op.op_id,
    method,
    decision: op.decision,
    scanned_at: scan.scanned_at,
    step: code.step,
    facts: {
      ...stamp,
      sport_center_id: code.sport_center_id,
      sport_type: code.sport_type,
      started_at: started_at.toISOString(),
      ended_at: ended_at.toISOString(),
      paused_s: code.paused_s || null,
      intensity: op.adjust?.intensity ?? code.intensity,
      intensity_confirmed: op.adjust?.intensity !== undefined,
      distance_m: op.adjust?.distance_m ?? code.distance_m,
    },
    reason: op.reason ?? null,
    received_at: scan.received_at,
    decided_at: context.now(),
    withdrawn_at: null,
    withdrawn_because: null,
  };
}

/** A referee can shorten the activity and set distance and intensity, but cannot add time to the code's claim. */
function checkAdjustment({ op: { adjust }, code }: VerifiedScan): void {
  if (adjust?.ended_at && Date.parse(adjust.ended_at) > code.ended_at) {
    throw new AppError('adjust_invalid', 'The end can only be made earlier');
  }
  // An end before the start is refused as a duration, with or without a pause.
  if (adjust?.ended_at && code.paused_s > 0 && !isPauseWithin({ ...code, ended_at: Date.parse(adjust.ended_at) })) {
    throw new AppError('adjust_invalid', 'The activity cannot be shorter than its pauses');
  }
  if (!canHaveDistance(code.sport_type, adjust?.distance_m ?? null)) {
    throw new AppError('adjust_invalid', 'Not a distance of this sport');
  }
}

/** Refuses a decision that would not be stored (`shouldStoreDecision`); the refusal names the obstacle. */
function assertStorable(before: ActivityRow, decisions: DecisionRow[], decided: DecisionRow): void {
  const history = historyOf(before);
  const one = toDecision(decided);
  if (isVoid(one, history)) {
    throw new AppError('activity_edited', 'The athlete corrected this activity after your scan; scan the code again');
  }
  const known = decisions.map(toDecision);
  if (shouldStoreDecision(known, one, history)) return;
  if (cannotAnswerAppeal(known, one, history)) {
    throw new AppError('appeal_needs_another_referee', 'The athlete asked for another referee');
  }
  if (before.status === 'validated') throw refusalOf('activity_already_validated');
  if (before.status === 'rejected') throw refusalOf('activity_rejected');
  // An earlier decision took precedence and was withdrawn since.
  throw refusalOf('code_expired');
}

/** A friend, or the same referee, cannot get around a rejection by a new recording of the same time. */
function checkRejections({ method, scanner_id, facts }: DecisionRow, { rejections }: OpInputs): void {
  const isAbout = (rejected: Facts) =>
    rejected.sport_center_id === facts.sport_center_id &&
    Date.parse(rejected.started_at) < Date.parse(facts.ended_at ?? facts.started_at) &&
    Date.parse(rejected.ended_at ?? rejected.started_at) > Date.parse(facts.started_at);
  const mayNot = (rejecter: string | null) => method === 'peer' || rejecter === scanner_id;
  if (rejections.some((one) => mayNot(one.scanner_id) && isAbout(one.facts))) {
    throw new AppError(
      'appeal_needs_another_referee',
      'A referee rejected this time here; another referee can confirm it',
    );
  }
}

/** A friend cannot make up a day in one second: see `peerProofAllowedFrom`. */
function checkPeerSpacing({ scanner_id }: DecisionRow, row: ActivityRow, { others }: OpInputs): void {
  const of_pair = others.filter((other) => other.validation === 'peer' && other.decided_by === scanner_id);
  const allowed_from_ms = peerProofAllowedFrom(toPeerProof(row), of_pair.map(toPeerProof));
  if (allowed_from_ms === null) return;
  throw new AppError(
    'peer_too_soon',
    `Confirmations of a friend must be as far apart as the later activity is long; you can confirm this one from ${new Date(allowed_from_ms).toISOString()}`,
  );
}

function toPeerProof(row: ActivityRow): PeerProof {
  const { started_at, ended_at } = timesOf(row);
  return { scanned_at_ms: row.validated_at?.getTime() ?? 0, duration_ms: ended_at - started_at };
}

/** Limits of a scanner on a day: with this athlete at the center, and with all athletes. Only decisions in force count. */
function checkCaps(row: ActivityRow, { others, confirmed_that_day }: OpInputs, scanner_id: string): void {
  const of_pair = others.filter(
    (other) =>
      other.decided_by === scanner_id &&
      other.sport_center_id === row.sport_center_id &&
      other.local_date === row.local_date &&
      other.status === 'validated' &&
      other.points > 0,
  );
  if (of_pair.length >= MAX_PAIR_CONFIRMATIONS) {
    throw new AppError('pair_limit_reached', 'You confirmed this athlete 3 times here today; ask another referee');
  }
  if (confirmed_that_day >= MAX_SCANNER_CONFIRMATIONS) {
    throw new AppError('referee_limit_reached', 'You confirmed 40 activities today; ask another referee');
  }
}
