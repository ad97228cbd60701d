import type { Trx } from '#api/database/database.ts';
import { refuseGivenUp, USE_NOTED_EVERY_MS } from '#api/modules/devices/service.ts';
import { AppError } from '#api/platform/errors.ts';
import { type ProvenScan, type ScanOp, scannedAt } from '../proofs/prove-scan.ts';
import { rightOf } from '../proofs/right.ts';
import { insertWaitingScan } from '../proofs/waiting-store.ts';
import type { OpContext } from '../record/context.ts';
import { ACCEPTED, attempt, type Outcome, refused } from '../record/refusals.ts';
import type { ActivityRow } from '../record/store.ts';
import type { ValidationEntry } from '../record/write.ts';
import { decideScan } from './decide-scan.ts';
import type { Gathered, SentOp } from './load.ts';
import { saveDone, saveOutcome } from './save.ts';

interface Scanned {
  outcome: Outcome;
  row: ActivityRow | undefined;
}

/** Decides a scan that came as its own op; stores its outcome and its log line in every case. */
export async function carryOutScan(
  trx: Trx,
  context: OpContext,
  sent: SentOp,
  scan: ProvenScan,
  found: Gathered,
): Promise<Scanned> {
  const method = await attempt(async () => {
    refuseGivenUp(found.device, scan.scanned_at);
    return rightOf(trx, scan, found.refereed_sports);
  });
  if (method instanceof AppError) return refuse(trx, sent, scan, 'referee', method);
  const decided = await attempt(async () => decideScan(context, scan, method, found));
  if (decided instanceof AppError) return refuse(trx, sent, scan, method, decided);
  if (decided === 'waiting') {
    const outcome: Outcome = { outcome: 'waiting', code: null, message: null };
    await saveOutcome(trx, sent, outcome, [logEntry(scan, method, outcome)]);
    await insertWaitingScan(trx, scan);
    return { outcome, row: undefined };
  }
  const log = [logEntry(scan, method, ACCEPTED)];
  await saveDone(trx, context, decided, { badges: found.badges, sent, outcome: ACCEPTED, log });
  const unused_ms = scan.received_at.getTime() - (found.device?.last_used_at.getTime() ?? 0);
  if (unused_ms > USE_NOTED_EVERY_MS) await context.devices.noteUse(trx, scan.code.key_id);
  return { outcome: ACCEPTED, row: decided.row };
}

async function refuse(
  trx: Trx,
  sent: SentOp,
  scan: ProvenScan,
  method: 'peer' | 'referee',
  error: AppError,
): Promise<Scanned> {
  const outcome = refused(error);
  await saveOutcome(trx, sent, outcome, [logEntry(scan, method, outcome)]);
  return { outcome, row: undefined };
}

/** Builds the log line of a scan whose code names its athlete. */
export function logEntry(scan: ProvenScan, method: 'peer' | 'referee', outcome: Outcome): ValidationEntry {
  return {
    ...attemptOf(scan.scanner_id, scan.op),
    reason: outcome.outcome === 'accepted' ? (scan.op.reason ?? null) : null,
    athlete_id: scan.athlete_id,
    activity_id: scan.code.activity_id,
    method,
    outcome: outcome.outcome === 'rejected' ? 'refused' : outcome.outcome,
    code: outcome.code,
  };
}

/**
 * Logs a code that no known device made. Its claim about an activity is not trusted, so the line names only the sender.
 */
export async function logUnproven(trx: Trx, sent: SentOp, op: ScanOp, error: AppError): Promise<Scanned> {
  const outcome = refused(error);
  const entry: ValidationEntry = {
    ...attemptOf(sent.user_id, op),
    athlete_id: sent.user_id,
    activity_id: op.op_id,
    method: 'referee',
    outcome: 'refused',
    code: outcome.code,
  };
  await saveOutcome(trx, sent, outcome, [entry]);
  return { outcome, row: undefined };
}

function attemptOf(scanner_id: string, op: ScanOp) {
  return {
    scanner_id,
    kiosk_id: null,
    op_id: op.op_id,
    decision: op.decision,
    // Words of a scanner who could not decide are never stored.
    reason: null,
    scanned_at: scannedAt(op),
    clock_offset_ms: op.clock.offset_ms,
    clock_age_ms: op.clock.age_ms,
    distance_class: op.distance_class ?? ('unknown' as const),
  };
}
