import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { databaseErrorCode } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpContext } from '../context.ts';
import { ScannerNotLocked } from '../proofs/join-waiting-scans.ts';
import { type ProvenScan, proveScan } from '../proofs/prove-scan.ts';
import { listWaitingScanners } from '../proofs/waiting-store.ts';
import { attempt } from '../refusals.ts';
import { lockUsers } from '../store.ts';
import { applyLocked, endedBy } from './apply-locked.ts';
import { hashOf, type SentOp } from './op-store.ts';
import { inTurn } from './turns.ts';
import { findScannedActivity } from './withdraw-decision.ts';

const MAX_TRIES = 3;
/** Deadlock, serialisation, exclusion and unique violations: another writer was first, look again. */
const LOST_RACE = new Set(['40P01', '40001', '23P01', '23505']);

/**
 * Carries out one step of an activity exactly once: the same op id gives the stored outcome ('duplicate'), with
 * another body `idempotency_mismatch`. A refusal is stored too and gives outcome 'rejected' with its code.
 * Throws only for what may be tried again (5xx, too many scans) and for a mismatch.
 * `request` is what two sends are compared by, where it is not the op itself.
 */
export function applyOp(context: OpContext, user_id: string, op: Op, request: object = op): Promise<OpResult> {
  return inTurn(user_id, () => applyNow(context, { user_id, op, body_hash: hashOf(request) }));
}

/** The same, by a caller who has the user's turn. */
export async function applyNow(context: OpContext, sent: SentOp): Promise<OpResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyOnce(context, sent);
    } catch (error) {
      if (tries === MAX_TRIES || !isLostRace(error)) throw error;
    }
  }
}

function isLostRace(error: unknown): boolean {
  return error instanceof ScannerNotLocked || LOST_RACE.has(databaseErrorCode(error) ?? '');
}

async function applyOnce(context: OpContext, sent: SentOp): Promise<OpResult> {
  const { user_id, op } = sent;
  const proven =
    op.kind === 'scan'
      ? await attempt(() => proveScan(context.database, context.devices, user_id, op, context.now()))
      : undefined;
  const athlete_id = await athleteOf(context, sent, proven);
  const waiting = await listWaitingScanners(context.database, athlete_id, endedBy([sent]));
  return context.events.transact(async (trx) => {
    const locked = [user_id, athlete_id, ...waiting];
    await lockUsers(trx, locked);
    return applyLocked(trx, context, sent, { athlete_id, proven, locked });
  });
}

/** Whose activity the step is about. */
async function athleteOf(
  context: OpContext,
  { user_id, op }: SentOp,
  proven: ProvenScan | AppError | undefined,
): Promise<string> {
  if (op.kind === 'withdraw') return (await findScannedActivity(context.database, user_id, op)) ?? user_id;
  return proven && !(proven instanceof AppError) ? proven.athlete_id : user_id;
}
