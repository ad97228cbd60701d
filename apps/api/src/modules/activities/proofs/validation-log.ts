import type { ValidationEntry } from '../record/op-writes.ts';
import type { OpOutcome } from '../record/refusals.ts';
import { type ScanOp, scannedAt, type VerifiedScan } from './verify-scan.ts';

/** Builds the log line of a scan whose code names its athlete. */
export function proofEntry(scan: VerifiedScan, method: 'peer' | 'referee', outcome: OpOutcome): ValidationEntry {
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
 * Builds the log line of a code that no known device made. Its claim about an activity is not trusted, so the line names
 * only the scanner.
 */
export function unprovenEntry(scanner_id: string, op: ScanOp, { code }: OpOutcome): ValidationEntry {
  return {
    ...attemptOf(scanner_id, op),
    athlete_id: scanner_id,
    activity_id: op.op_id,
    method: 'referee',
    outcome: 'refused',
    code,
  };
}

function attemptOf(scanner_id: string, op: ScanOp) {
  return {
    scanner_id,
    kiosk_id: null,
    op_id: op.op_id,
    decision: op.decision,
    // The reason of a scanner who could not decide is never stored.
    reason: null,
    scanned_at: scannedAt(op),
    clock_offset_ms: op.clock.offset_ms,
    clock_age_ms: op.clock.age_ms,
    distance_class: op.distance_class ?? ('unknown' as const),
  };
}
