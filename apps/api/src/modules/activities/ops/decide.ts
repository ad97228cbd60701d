import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { Database, Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { type ProvenScan, scanReach } from '../proofs/prove-scan.ts';
import type { OpContext } from '../record/context.ts';
import { presentActivity } from '../record/present-activity.ts';
import { ACCEPTED, attempt, type Outcome, refused } from '../record/refusals.ts';
import { type ActivityRow, findActivity, type Reach } from '../record/store.ts';
import { appealActivity } from './appeal-activity.ts';
import { deleteActivity } from './delete-activity.ts';
import type { Done } from './stages.ts';
import { editActivity } from './edit-activity.ts';
import { finishActivity } from './finish-activity.ts';
import { joinWaitingScans } from './join-waiting-scans.ts';
import { findOutcome, type Gathered, gather, type SentOp, type StoredOutcome } from './load.ts';
import { reopenActivity } from './reopen-activity.ts';
import { saveDone, saveOutcome } from './save.ts';
import { carryOutScan, logUnproven } from './decide-received-scan.ts';
import { startActivity } from './start-activity.ts';
import { checkWithdrawal, withdrawDecision } from './withdraw-decision.ts';
import { withdrawWaiting } from './withdraw-waiting.ts';

const MAX_SCANS_AN_HOUR = 60;
/** Ops after which scans no longer wait. */
const ENDS_WAITING = new Set<Op['kind']>(['finish', 'delete']);

/** Returns the activities whose scans no longer wait after these ops. */
export function endedBy(sent: SentOp[]): string[] {
  return sent.filter(({ op }) => ENDS_WAITING.has(op.kind)).map(({ op }) => op.client_id);
}

/** The athlete whose activity the op is about and, for a scan, its proven code or the reason why it is unproven. */
interface About {
  athlete_id: string;
  proven?: ProvenScan | AppError | undefined;
  /** Users whose rows the caller has locked. */
  locked: string[];
}

/**
 * Applies one op in the caller's transaction, which holds the locks of the user, the athlete and the earlier scanners.
 * Throws `idempotency_mismatch` and `too_many_requests`; every other refusal is stored and is the outcome.
 */
export async function applyLocked(trx: Trx, context: OpContext, sent: SentOp, about: About): Promise<OpResult> {
  const { user_id, op } = sent;
  const { athlete_id, proven } = about;
  const key = { athlete_id, activity_id: op.client_id };
  const scan = proven instanceof AppError ? undefined : proven;
  const place = scan && { sport_center_id: scan.code.sport_center_id, at: scan.scanned_at, key_id: scan.code.key_id };
  const found = await gather(trx, key, { user_id, op_id: op.op_id }, reachOf(context, op, scan), place);
  if (found.known) {
    const own = athlete_id === user_id ? found.row : await findActivity(trx, user_id, found.known.activity_id);
    return repeated(op.op_id, found.known, sent.body_hash, own);
  }
  if (op.kind === 'scan' && found.recent_scans >= MAX_SCANS_AN_HOUR) {
    throw new AppError('too_many_requests', 'At most 60 scans an hour', { retry_after_s: 600 });
  }
  const { outcome, row } = await carryOut(trx, context, sent, found, about);
  return toResult(op.op_id, outcome, athlete_id === user_id ? row : undefined);
}

function reachOf(context: OpContext, op: Op, scan: ProvenScan | undefined): Reach {
  if (scan) return scanReach(context, scan);
  const started_at = op.kind === 'start' || op.kind === 'edit' ? op.started_at : undefined;
  return started_at === undefined ? {} : { moment: new Date(started_at) };
}

async function carryOut(
  trx: Trx,
  context: OpContext,
  sent: SentOp,
  found: Gathered,
  { proven, locked }: About,
): Promise<{ outcome: Outcome; row: ActivityRow | undefined }> {
  const { op } = sent;
  if (proven instanceof AppError && op.kind === 'scan') return logUnproven(trx, sent, op, proven);
  if (proven && !(proven instanceof AppError)) return carryOutScan(trx, context, sent, proven, found);
  if (op.kind === 'withdraw' && (await withdrawWaiting(trx, context, sent, op))) {
    return { outcome: ACCEPTED, row: undefined };
  }
  const done = await attempt(() => takeStep(trx, context, sent, found));
  if (done instanceof AppError) {
    const outcome = refused(done);
    await saveOutcome(trx, sent, outcome);
    return { outcome, row: found.row };
  }
  await saveDone(trx, context, done, { badges: found.badges, sent, outcome: ACCEPTED });
  const joins = found.is_awaited && ENDS_WAITING.has(op.kind);
  const joined = joins && (await joinWaitingScans(trx, context, done.row, locked));
  const row = joined ? await findActivity(trx, done.row.user_id, done.row.id) : done.row;
  return { outcome: ACCEPTED, row };
}

async function takeStep(trx: Trx, context: OpContext, { user_id, op }: SentOp, found: Gathered): Promise<Done> {
  switch (op.kind) {
    case 'start':
      return startActivity(trx, context, user_id, op, found);
    case 'finish':
      return finishActivity(trx, context, op, found);
    case 'reopen':
      return reopenActivity(context, found);
    case 'edit':
      return editActivity(context, op, found);
    case 'delete':
      return deleteActivity(found);
    case 'appeal':
      return appealActivity(trx, context, op, found);
    case 'withdraw':
      return takeBack(context, user_id, op, found);
    case 'scan':
      throw new AppError('bad_request', 'A scan needs its code');
  }
}

function takeBack(context: OpContext, user_id: string, op: Extract<Op, { kind: 'withdraw' }>, found: Gathered): Done {
  const decision = checkWithdrawal(found, user_id, op.scan_op_id, context.now());
  return withdrawDecision(found, { id: decision.id, at: context.now(), because: 'scanner' });
}

/**
 * Returns the stored outcome of an op sent before, undefined for a new op. Throws `idempotency_mismatch` if the same id
 * was sent with another request.
 */
export async function repeatOp(
  database: Database | Trx,
  user_id: string,
  op_id: string,
  body_hash: Buffer,
): Promise<OpResult | undefined> {
  const known = await findOutcome(database, user_id, op_id);
  if (!known) return undefined;
  return repeated(op_id, known, body_hash, await findActivity(database, user_id, known.activity_id));
}

function repeated(op_id: string, known: StoredOutcome, body_hash: Buffer, row: ActivityRow | undefined): OpResult {
  if (!known.body_hash.equals(body_hash)) {
    throw new AppError('idempotency_mismatch', 'This op_id was used for something else');
  }
  const result = toResult(op_id, known, row);
  return known.outcome === 'accepted' ? { ...result, outcome: 'duplicate' } : result;
}

/** The owner sees the activity; a scanner gets only the outcome. */
function toResult(op_id: string, outcome: Outcome, row: ActivityRow | undefined): OpResult {
  return {
    op_id,
    outcome: outcome.outcome,
    ...(outcome.code ? { code: outcome.code } : {}),
    ...(outcome.message ? { message: outcome.message } : {}),
    activity: row ? presentActivity(row) : null,
  };
}
