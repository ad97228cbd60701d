import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { type Database, databaseErrorCode, type Trx } from '#api/platform/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpContext } from '../context.ts';
import { presentActivity } from '../present-activity.ts';
import { joinWaitingScans } from '../proofs/join-waiting-scans.ts';
import { type ProvenScan, proveScan, scanReach } from '../proofs/prove-scan.ts';
import { carryOutScan, logUnproven } from '../proofs/scan.ts';
import { listWaitingScanners } from '../proofs/waiting-store.ts';
import { ACCEPTED, attempt, refused } from '../refusals.ts';
import { type ActivityRow, findActivity, lockUsers, type Reach } from '../store.ts';
import { appealActivity } from './appeal-activity.ts';
import { deleteActivity } from './delete-activity.ts';
import type { Done } from './done.ts';
import { editActivity } from './edit-activity.ts';
import { finishActivity } from './finish-activity.ts';
import {
  findOutcome,
  type Gathered,
  gather,
  hashOf,
  type Outcome,
  type SentOp,
  type StoredOutcome,
} from './op-store.ts';
import { saveDone, saveRefused } from './save-done.ts';
import { startActivity } from './start-activity.ts';
import { checkWithdrawal, findScannedActivity, withdrawDecision } from './withdraw-decision.ts';

const MAX_TRIES = 3;
const MAX_SCANS_AN_HOUR = 60;
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

/**
 * Carries out what a device queued, in order; what one of them throws with less than 500 is its outcome. The athlete's
 * own steps are one transaction as far as nothing comes between them, and go one by one where that fails.
 */
export async function applyOps(context: OpContext, user_id: string, ops: Op[]): Promise<OpResult[]> {
  const results: OpResult[] = [];
  for (const group of groupsOf(ops)) {
    const sent = group.map((op) => ({ user_id, op, body_hash: hashOf(op) }));
    results.push(...(await inTurn(user_id, () => applyGroup(context, user_id, sent))));
  }
  return results;
}

/**
 * Steps of one user that are here at once take turns, so that they hold one connection and not all of them while they
 * wait for each other's lock. Those on other nodes do wait for the lock.
 */
const turns = new Map<string, Promise<unknown>>();

function inTurn<Value>(user_id: string, carryOut: () => Promise<Value>): Promise<Value> {
  const turn = (turns.get(user_id) ?? Promise.resolve()).then(carryOut, carryOut);
  turns.set(user_id, turn);
  const forget = () => {
    if (turns.get(user_id) === turn) turns.delete(user_id);
  };
  turn.then(forget, forget);
  return turn;
}

/** Scans and what takes them back are about others, who have to be locked too: each is alone. */
function groupsOf(ops: Op[]): Op[][] {
  const groups: Op[][] = [];
  let own: Op[] | undefined;
  for (const op of ops) {
    const is_own = op.kind !== 'scan' && op.kind !== 'withdraw';
    if (is_own && own) own.push(op);
    else groups.push([op]);
    own = is_own ? groups.at(-1) : undefined;
  }
  return groups;
}

async function applyGroup(context: OpContext, user_id: string, sent: SentOp[]): Promise<OpResult[]> {
  if (sent.length > 1) {
    try {
      return await applyTogether(context, user_id, sent);
    } catch {
      // Nothing was written; whatever one of them meets is not to stop the others.
    }
  }
  const results: OpResult[] = [];
  for (const one of sent) results.push(await refusalAsResult(one, () => applyNow(context, one)));
  return results;
}

async function applyTogether(context: OpContext, user_id: string, sent: SentOp[]): Promise<OpResult[]> {
  const ending = sent.filter(({ op }) => ENDS_WAITING.has(op.kind)).map(({ op }) => op.client_id);
  const waiting = await listWaitingScanners(context.database, user_id, ending);
  return context.events.transact(async (trx) => {
    await lockUsers(trx, [user_id, ...waiting]);
    const results: OpResult[] = [];
    for (const one of sent) {
      results.push(await refusalAsResult(one, () => applyLocked(trx, context, one, { athlete_id: user_id })));
    }
    return results;
  });
}

async function refusalAsResult({ op }: SentOp, run: () => Promise<OpResult>): Promise<OpResult> {
  const result = await attempt(run);
  if (!(result instanceof AppError)) return result;
  return { op_id: op.op_id, outcome: 'rejected', code: result.code, message: result.message };
}

async function applyNow(context: OpContext, sent: SentOp): Promise<OpResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyOnce(context, sent);
    } catch (error) {
      if (tries === MAX_TRIES || !LOST_RACE.has(databaseErrorCode(error) ?? '')) throw error;
    }
  }
}

async function applyOnce(context: OpContext, sent: SentOp): Promise<OpResult> {
  const { user_id, op } = sent;
  const proven =
    op.kind === 'scan'
      ? await attempt(() => proveScan(context.database, context.devices, user_id, op, context.now()))
      : undefined;
  const athlete_id = await athleteOf(context, sent, proven);
  const waiting = await listWaitingScanners(
    context.database,
    athlete_id,
    ENDS_WAITING.has(op.kind) ? [op.client_id] : [],
  );
  return context.events.transact(async (trx) => {
    await lockUsers(trx, [user_id, athlete_id, ...waiting]);
    return applyLocked(trx, context, sent, { athlete_id, proven });
  });
}

/** Whose activity the step is about and, for a scan, what its code says or why it says nothing. */
interface About {
  athlete_id: string;
  proven?: ProvenScan | AppError | undefined;
}

async function applyLocked(
  trx: Trx,
  context: OpContext,
  sent: SentOp,
  { athlete_id, proven }: About,
): Promise<OpResult> {
  const { user_id, op } = sent;
  const key = { athlete_id, activity_id: op.client_id };
  const scan = proven instanceof AppError ? undefined : proven;
  const found = await gather(trx, key, { user_id, op_id: op.op_id }, reachOf(context, op, scan), placeOf(scan));
  if (found.known) {
    const own = athlete_id === user_id ? found.row : await findActivity(trx, user_id, found.known.activity_id);
    return repeated(op.op_id, found.known, sent.body_hash, own);
  }
  if (op.kind === 'scan' && found.recent_scans >= MAX_SCANS_AN_HOUR) {
    throw new AppError('too_many_requests', 'At most 60 scans an hour', { retry_after_s: 600 });
  }
  const { outcome, row } = await carryOut(trx, context, sent, found, proven);
  return toResult(op.op_id, outcome, athlete_id === user_id ? row : undefined);
}

function placeOf(scan: ProvenScan | undefined) {
  if (!scan) return undefined;
  return { sport_center_id: scan.code.sport_center_id, at: scan.scanned_at, key_id: scan.code.key_id };
}

function reachOf(context: OpContext, op: Op, scan: ProvenScan | undefined): Reach {
  if (scan) return scanReach(context, scan);
  const started_at = op.kind === 'start' || op.kind === 'edit' ? op.started_at : undefined;
  return started_at === undefined ? {} : { moment: new Date(started_at) };
}

/** Steps after which scans need not wait any more. */
const ENDS_WAITING = new Set<Op['kind']>(['finish', 'delete']);

/** Whose activity the step is about. */
async function athleteOf(
  context: OpContext,
  { user_id, op }: SentOp,
  proven: ProvenScan | AppError | undefined,
): Promise<string> {
  if (op.kind === 'withdraw') return (await findScannedActivity(context.database, user_id, op)) ?? user_id;
  return proven && !(proven instanceof AppError) ? proven.athlete_id : user_id;
}

async function carryOut(
  trx: Trx,
  context: OpContext,
  sent: SentOp,
  found: Gathered,
  proven: ProvenScan | AppError | undefined,
): Promise<{ outcome: Outcome; row: ActivityRow | undefined }> {
  const { op } = sent;
  if (proven instanceof AppError) return logUnproven(trx, sent, proven);
  if (proven) return carryOutScan(trx, context, sent, proven, found);
  const done = await attempt(() => takeStep(trx, context, sent, found));
  if (done instanceof AppError) {
    const outcome = refused(done);
    await saveRefused(trx, sent, outcome);
    return { outcome, row: found.row };
  }
  await saveDone(trx, context, done, { sent, outcome: ACCEPTED });
  const joined = found.is_awaited && ENDS_WAITING.has(op.kind) && (await joinWaitingScans(trx, context, done.row));
  const row = joined ? await findActivity(trx, done.row.user_id, done.row.id) : done.row;
  return { outcome: ACCEPTED, row };
}

async function takeStep(trx: Trx, context: OpContext, { user_id, op }: SentOp, found: Gathered): Promise<Done> {
  switch (op.kind) {
    case 'start':
      return startActivity(trx, context, user_id, op, found);
    case 'finish':
      return finishActivity(trx, context, op, found);
    case 'edit':
      return editActivity(context, op, found);
    case 'delete':
      return deleteActivity(found);
    case 'appeal':
      return appealActivity(context, op, found);
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
 * The stored outcome of an op that was sent before, undefined for a new one. Throws `idempotency_mismatch` when it was
 * another request under the same id.
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
