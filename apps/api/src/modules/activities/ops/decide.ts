import type { Op } from '@sendlap/contract/activities.ts';
import type { Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpContext } from '../record/context.ts';
import { ACCEPTED, catchRefusal, toRefusedOutcome } from '../record/refusals.ts';
import { appealActivity } from './appeal-activity.ts';
import { decideReceivedScan } from './decide-received-scan.ts';
import { deleteActivity } from './delete-activity.ts';
import { editActivity } from './edit-activity.ts';
import { finishActivity } from './finish-activity.ts';
import { reopenActivity } from './reopen-activity.ts';
import type { Change, DecidedOp, LoadedOp, LockedOp } from './stages.ts';
import { startActivity } from './start-activity.ts';
import { checkWithdrawal, withdrawDecision } from './withdraw-decision.ts';

type OwnOp = Exclude<Op, { kind: 'scan' }>;

/** Decides what the op changes, by the rules of its kind. Reads, but writes nothing. Throws `too_many_requests`. */
export async function decideOp(trx: Trx, context: OpContext, locked: LockedOp, loaded: LoadedOp): Promise<DecidedOp> {
  const { user_id, op } = locked;
  if (op.kind === 'scan') return decideReceivedScan(trx, context, locked, op, loaded);
  if (op.kind === 'withdraw' && isWaiting(loaded, user_id, op.scan_op_id)) {
    return { outcome: ACCEPTED, withdrawn_scan: op.scan_op_id };
  }
  const change = await catchRefusal(() => decideChange(trx, context, user_id, op, loaded));
  if (change instanceof AppError) return { outcome: toRefusedOutcome(change), row: loaded.row };
  return { outcome: ACCEPTED, row: change.row, change };
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
