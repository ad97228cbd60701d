import type { Op } from '@sendlap/contract/activities.ts';
import type { UserEvent } from '#api/events/event-store.ts';
import type { AppError } from '#api/platform/errors.ts';
import type { Redistribution } from '../points/redistribute-points.ts';
import type { ScannerRights } from '../proofs/scan-method.ts';
import type { VerifiedScan } from '../proofs/verify-scan.ts';
import type { VenueScanResult } from '../proofs/verify-venue-scan.ts';
import type { ValidationEntry } from '../record/op-writes.ts';
import type { OpOutcome } from '../record/refusals.ts';
import type { ActivityRow, DecisionRow, OpInputs } from '../record/store.ts';

/**
 * What an op is after each stage: receive → retry → lock → load → decide → save. Each stage has a file of its name.
 */

/** Stage `receive`: an op as this user sent it. */
export interface ReceivedOp {
  user_id: string;
  op: Op;
  /** Hash of the request; the same op id with another hash is refused. */
  body_hash: Buffer;
}

/** Stage `lock`: all users whose rows the op can change are locked. */
export interface LockedOp extends ReceivedOp {
  /** The athlete whose activity the op is about. */
  athlete_id: string;
  /** Of a scan: its proven code, or why it proves nothing. */
  proven?: VerifiedScan | AppError | undefined;
  locked_user_ids: string[];
}

/**
 * Stage `load`: what any op is decided by, read by one statement under the lock. What one kind alone needs is read by its
 * rule: a kiosk's keys and earlier visits, the referees of an appeal's center.
 */
export interface LoadedOp extends OpInputs {
  /** Set if this op id was saved before. */
  stored: StoredOutcome | undefined;
  /** Scans that wait for this activity's own ops, and the waiting scan that a withdrawal names. */
  waiting_scans: { scanner_id: string; op_id: string }[];
  /** Scans the user sent within the last hour, regardless of outcome. */
  recent_scans: number;
  /** Of a proven scan. */
  scanner_rights: ScannerRights | undefined;
  /** The athlete's device that made the code. */
  device: { revoked_at: Date | null; last_used_at: Date } | undefined;
}

export interface StoredOutcome extends OpOutcome {
  body_hash: Buffer;
  activity_id: string;
}

/** Stage `decide`: the outcome and everything that `save` will write. */
export interface DecidedOp {
  outcome: OpOutcome;
  /** The activity that the athlete gets back. */
  row?: ActivityRow | undefined;
  /** undefined: only the outcome and the log are written. */
  change?: Change;
  log?: ValidationEntry[];
  /** A scan that waits for the athlete's own ops. */
  waiting?: VerifiedScan;
  /** Op id of a waiting scan that its scanner withdraws. */
  withdrawn_scan?: string;
  /** Key of a device whose last use is recorded. */
  used_key_id?: string;
}

/** A change of one activity, with its effects on points, decisions and other users. */
export interface Change {
  /** undefined: the activity is new. */
  before: ActivityRow | undefined;
  row: ActivityRow;
  /** Set if points may change. */
  redistribution?: Redistribution;
  decided?: DecisionRow;
  withdrawn?: DecisionRow;
  /** A decision that is no longer in force because of this op. */
  overtaken?: DecisionRow | undefined;
  venue?: VenueScanResult | undefined;
  /** Notifications to other users. */
  news?: UserEvent[];
}
