import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { databaseErrorCode } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import { type ProvenScan, proveScan } from '../proofs/prove-scan.ts';
import { listWaitingScanners } from '../proofs/waiting-store.ts';
import type { OpContext } from '../record/context.ts';
import { attempt } from '../record/refusals.ts';
import { lockUsers } from '../record/store.ts';
import { applyLocked, endedBy } from './decide.ts';
import { ScannerNotLocked } from './join-waiting-scans.ts';
import { hashOf, type SentOp } from './load.ts';
import { findScannedActivity } from './withdraw-decision.ts';

const turns = new Map<string, Promise<unknown>>();
const MAX_TRIES = 3;
/** Deadlock, serialisation, exclusion and unique violations: another writer won the race, so retry. */
const LOST_RACE = new Set(['40P01', '40001', '23P01', '23505']);

/**
 * Applies one activity op exactly once: the same op id returns the stored outcome ('duplicate'), or throws
 * `idempotency_mismatch` with another body. A refusal is stored too and returns outcome 'rejected' with its code.
 * Throws only retryable errors (5xx, too many scans) and the mismatch. `request`: the body compared between sends, if
 * it is not the op itself.
 */
export function applyOp(context: OpContext, user_id: string, op: Op, request: object = op): Promise<OpResult> {
  return inTurn(user_id, () => applyNow(context, { user_id, op, body_hash: hashOf(request) }));
}

/** The same, for a caller that holds the user's turn. */
async function applyNow(context: OpContext, sent: SentOp): Promise<OpResult> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyOnce(context, sent);
    } catch (error) {
      const is_lost_race = error instanceof ScannerNotLocked || LOST_RACE.has(databaseErrorCode(error) ?? '');
      if (tries === MAX_TRIES || !is_lost_race) throw error;
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
  const waiting = await listWaitingScanners(context.database, athlete_id, endedBy([sent]));
  return context.events.transact(async (trx) => {
    const locked = [user_id, athlete_id, ...waiting];
    await lockUsers(trx, locked);
    return applyLocked(trx, context, sent, { athlete_id, proven, locked });
  });
}

/** Returns the athlete whose activity the op is about. */
async function athleteOf(
  context: OpContext,
  { user_id, op }: SentOp,
  proven: ProvenScan | AppError | undefined,
): Promise<string> {
  if (op.kind === 'withdraw') return (await findScannedActivity(context.database, user_id, op)) ?? user_id;
  return proven && !(proven instanceof AppError) ? proven.athlete_id : user_id;
}

/**
 * Applies a device's queued ops in order; an error below 500 is the op's outcome. Consecutive ops of the athlete's own
 * run in one transaction, and one by one if that fails.
 */
export async function applyOps(context: OpContext, user_id: string, ops: Op[]): Promise<OpResult[]> {
  const results: OpResult[] = [];
  for (const group of groupsOf(ops)) {
    const sent = group.map((op) => ({ user_id, op, body_hash: hashOf(op) }));
    results.push(...(await inTurn(user_id, () => applyGroup(context, user_id, sent))));
  }
  return results;
}

/** Scans and their withdrawals concern other users, who must be locked too: each forms its own group. */
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
      // Nothing was written; retried one by one, so that one op's error does not stop the others.
    }
  }
  const results: OpResult[] = [];
  for (const one of sent) results.push(await refusalAsResult(one, () => applyNow(context, one)));
  return results;
}

async function applyTogether(context: OpContext, user_id: string, sent: SentOp[]): Promise<OpResult[]> {
  const waiting = await listWaitingScanners(context.database, user_id, endedBy(sent));
  return context.events.transact(async (trx) => {
    const locked = [user_id, ...waiting];
    await lockUsers(trx, locked);
    const results: OpResult[] = [];
    for (const one of sent) {
      results.push(await refusalAsResult(one, () => applyLocked(trx, context, one, { athlete_id: user_id, locked })));
    }
    return results;
  });
}

async function refusalAsResult({ op }: SentOp, run: () => Promise<OpResult>): Promise<OpResult> {
  const result = await attempt(run);
  if (!(result instanceof AppError)) return result;
  return { op_id: op.op_id, outcome: 'rejected', code: result.code, message: result.message };
}

/**
 * Serialises concurrent ops of one user within this node, so that they hold one connection instead of all of them while
 * waiting for each other's lock. Ops on other nodes do wait for the lock. Rethrows errors of `carryOut`.
 */
function inTurn<Value>(user_id: string, carryOut: () => Promise<Value>): Promise<Value> {
  const turn = (turns.get(user_id) ?? Promise.resolve()).then(carryOut, carryOut);
  turns.set(user_id, turn);
  const forget = () => {
    if (turns.get(user_id) === turn) turns.delete(user_id);
  };
  turn.then(forget, forget);
  return turn;
}
