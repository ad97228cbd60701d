import type { Op } from '@sendlap/contract/activities.ts';
import type { Trx } from '#api/database/database.ts';
import { assertDeviceActive, LAST_USE_WRITE_INTERVAL_MS } from '#api/modules/devices/service.ts';
import { AppError } from '#api/platform/errors.ts';
import type { ScanMethod } from '../proofs/scan-method.ts';
import { proofEntry, unprovenEntry } from '../proofs/validation-log.ts';
import type { ScanOp, VerifiedScan } from '../proofs/verify-scan.ts';
import type { OpContext } from '../record/context.ts';
import { ACCEPTED, catchRefusal, type OpOutcome, toRefusedOutcome } from '../record/refusals.ts';
import { appealActivity } from './appeal-activity.ts';
import { decideScan } from './decide-scan.ts';
import { deleteActivity } from './delete-activity.ts';
import { editActivity } from './edit-activity.ts';
import { finishActivity } from './finish-activity.ts';
import { reopenActivity } from './reopen-activity.ts';
import type { Change, DecidedOp, LoadedOp, LockedOp } from './stages.ts';
import { startActivity } from './start-activity.ts';
import { checkWithdrawal, withdrawDecision } from './withdraw-decision.ts';

type OwnOp = Exclude<Op, { kind: 'scan' }>;

const MAX_SCANS_AN_HOUR = 60;
const WAITING: OpOutcome = { outcome: 'waiting', code: null, message: null };

/** Decides what the op changes, by the rules of its kind. Writes nothing. Throws `too_many_requests`. */
export async function decideOp(trx: Trx, context: OpContext, locked: LockedOp, loaded: LoadedOp): Promise<DecidedOp> {
  const { user_id, op } = locked;
  if (op.kind === 'scan') return decideReceivedScan(context, locked, op, loaded);
  if (op.kind === 'withdraw' && isWaiting(loaded, user_id, op.scan_op_id)) {
    return { outcome: ACCEPTED, withdrawn_scan: op.scan_op_id };
  }
  const change = await catchRefusal(() => decideChange(trx, context, user_id, op, loaded));
  if (change instanceof AppError) return { outcome: toRefusedOutcome(change), row: loaded.row };
  return { outcome: ACCEPTED, row: change.row, change };
}

/** Decides a scan that came as its own op; it is logged in every case. Throws `too_many_requests`. */
async function decideReceivedScan(
  context: OpContext,
  { user_id, proven: scan }: LockedOp,
  op: ScanOp,
  loaded: LoadedOp,
): Promise<DecidedOp> {
  if (loaded.recent_scans >= MAX_SCANS_AN_HOUR) {
    throw new AppError('too_many_requests', 'At most 60 scans an hour', { retry_after_s: 600 });
  }
  if (!scan) throw new AppError('bad_request', 'A scan needs its code');
  if (scan instanceof AppError) {
    const outcome = toRefusedOutcome(scan);
    return { outcome, log: [unprovenEntry(user_id, op, outcome)] };
  }
  const { method, change } = await decideScan(context, scan, loaded, {
    check: () => assertDeviceActive(loaded.device, scan.scanned_at),
  });
  if (change instanceof AppError) return logged(scan, method, toRefusedOutcome(change));
  if (change === 'waiting') return { ...logged(scan, method, WAITING), waiting: scan };
  const unused_ms = scan.received_at.getTime() - (loaded.device?.last_used_at.getTime() ?? 0);
  return {
    ...logged(scan, method, ACCEPTED),
    change,
    ...(unused_ms > LAST_USE_WRITE_INTERVAL_MS ? { used_key_id: scan.code.key_id } : {}),
  };
}

function logged(scan: VerifiedScan, method: ScanMethod, outcome: OpOutcome): DecidedOp {
  return { outcome, log: [proofEntry(scan, method, outcome)] };
}

function isWaiting({ waiting_scans }: LoadedOp, scanner_id: string, scan_op_id: string): boolean {
  return waiting_scans.some((scan) => scan.scanner_id === scanner_id && scan.op_id === scan_op_id);
}

async function decideChange(
  trx: Trx,
  context: OpContext,
  user_id: string,
  op: OwnOp,
  loaded: LoadedOp,
): Promise<Change> {
  switch (op.kind) {
    case 'start':
      return startActivity(trx, context, user_id, op, loaded);
    case 'finish':
      return finishActivity(trx, context, op, loaded);
    case 'reopen':
      return reopenActivity(context, loaded);
    case 'edit':
      return editActivity(context, op, loaded);
    case 'delete':
      return deleteActivity(loaded);
    case 'appeal':
      return appealActivity(trx, context, op, loaded);
    case 'withdraw': {
      const decision = checkWithdrawal(loaded, user_id, op.scan_op_id, context.now());
      return withdrawDecision(loaded, { id: decision.id, at: context.now(), because: 'scanner' });
    }
  }
}
