import type { Op } from '@sendlap/contract/activities.ts';
import type { Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { verifyScan } from '../proofs/verify-scan.ts';
import { listScannersWithWaitingScans } from '../proofs/waiting-scan-store.ts';
import type { OpContext } from '../record/context.ts';
import { catchRefusal } from '../record/refusals.ts';
import { lockUsers } from '../record/store.ts';
import type { LockedOp, ReceivedOp } from './stages.ts';
import { findScannedAthlete } from './withdraw-decision.ts';

/** Ops after which scans no longer wait for the activity. */
const ENDS_WAITING = new Set<Op['kind']>(['finish', 'delete']);

export function endsWaiting({ kind }: Op): boolean {
  return ENDS_WAITING.has(kind);
}

/**
 * Another user scanned between the read of the users to lock and the locks. That scanner's confirmations are counted
 * only under their own lock, so the op starts again.
 */
export class ScannerNotLocked extends AppError {
  constructor() {
    super('unavailable', 'Someone else scanned at the same moment: send it again', { retry_after_s: 1 });
  }
}

/**
 * Runs these ops of one user in one transaction that holds the locks of the user, of the athletes they are about, and of
 * the scanners whose scans wait for them. Several ops must all be the user's own.
 */
export async function lockOps<Value>(
  context: OpContext,
  user_id: string,
  received: ReceivedOp[],
  run: (trx: Trx, locked: LockedOp[]) => Promise<Value>,
): Promise<Value> {
  const subjects = await Promise.all(received.map((op) => findSubject(context, op)));
  const ending = received.filter(({ op }) => endsWaiting(op)).map(({ op }) => op.client_id);
  const scanners = await listScannersWithWaitingScans(context.database, user_id, ending);
  const locked_user_ids = [user_id, ...subjects.map(({ athlete_id }) => athlete_id), ...scanners];
  const locked = received.map((op, index) => ({ ...op, athlete_id: user_id, ...subjects[index], locked_user_ids }));
  return context.events.transact(async (trx) => {
    await lockUsers(trx, locked_user_ids);
    return run(trx, locked);
  });
}

/** Finds the athlete whose activity the op is about; proves the code of a scan. */
async function findSubject(
  context: OpContext,
  { user_id, op }: ReceivedOp,
): Promise<Pick<LockedOp, 'athlete_id' | 'proven'>> {
  if (op.kind === 'withdraw') {
    return { athlete_id: (await findScannedAthlete(context.database, user_id, op)) ?? user_id };
  }
  if (op.kind !== 'scan') return { athlete_id: user_id };
  const proven = await catchRefusal(() => verifyScan(context.database, context.devices, user_id, op, context.now()));
  return { athlete_id: proven instanceof AppError ? user_id : proven.athlete_id, proven };
}
