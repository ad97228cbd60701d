import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import type { Trx } from '#api/database/database.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpContext } from '../record/context.ts';
import { catchRefusal } from '../record/refusals.ts';
import { decideOp } from './decide.ts';
import { loadOp } from './load.ts';
import { lockOps } from './lock.ts';
import { hashOf, repeatedResult } from './outcomes.ts';
import { retryLostRaces } from './retry.ts';
import { saveOp } from './save.ts';
import type { LockedOp, ReceivedOp } from './stages.ts';

const queues = new Map<string, Promise<unknown>>();

/**
 * Receives one activity op and applies it once: its id again returns the stored outcome (an accepted one as 'duplicate'),
 * or throws `idempotency_mismatch` if `request` (the compared body) differs. A refusal is stored and returned as
 * 'rejected' with its code. Otherwise throws only retryable errors (5xx, too many scans).
 */
export function receiveOp(context: OpContext, user_id: string, op: Op, request: object = op): Promise<OpResult> {
  return inUserOrder(user_id, async () => {
    const [result] = await applyOps(context, user_id, [{ user_id, op, body_hash: hashOf(request) }]);
    if (!result || result instanceof AppError) throw result ?? new Error('the op has no result');
    return result;
  });
}

/**
 * Receives a device's queued ops in order; an error below 500 is the op's outcome. Consecutive ops of the athlete's own
 * run in one transaction, and one by one if that fails. Throws the first other error.
 */
export async function receiveOps(context: OpContext, user_id: string, ops: Op[]): Promise<OpResult[]> {
  const results: OpResult[] = [];
  for (const group of groupsOf(ops)) {
    const received = group.map((op) => ({ user_id, op, body_hash: hashOf(op) }));
    results.push(...(await inUserOrder(user_id, () => receiveGroup(context, user_id, received))));
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

async function receiveGroup(context: OpContext, user_id: string, received: ReceivedOp[]): Promise<OpResult[]> {
  const results = await applyOps(context, user_id, received).catch(async (error) => {
    if (received.length === 1) throw error;
    // Nothing was written. One by one, the ops before the one that fails are saved, and its error ends the call: later ops
    // may depend on it. The device sends fewer at a time until that op is alone, then goes on with other activities.
    const alone: (OpResult | AppError)[] = [];
    for (const op of received) alone.push(...(await applyOps(context, user_id, [op])));
    return alone;
  });
  return results.map((result, index) =>
    result instanceof AppError
      ? { op_id: received[index]?.op.op_id ?? '', outcome: 'rejected', code: result.code, message: result.message }
      : result,
  );
}

/** Applies ops of one user in one transaction, one after the other. A thrown refusal is the op's result. */
function applyOps(context: OpContext, user_id: string, received: ReceivedOp[]): Promise<(OpResult | AppError)[]> {
  return retryLostRaces(() =>
    lockOps(context, user_id, received, async (trx, locked) => {
      const results: (OpResult | AppError)[] = [];
      for (const op of locked) results.push(await catchRefusal(() => runStages(trx, context, op)));
      return results;
    }),
  );
}

/**
 * Loads, decides and saves a locked op. Throws `idempotency_mismatch` and `too_many_requests`; every other refusal is stored
 * and is the outcome.
 */
async function runStages(trx: Trx, context: OpContext, locked: LockedOp): Promise<OpResult> {
  const loaded = await loadOp(trx, context, locked);
  if (loaded.stored) return repeatedResult(trx, locked, loaded.stored);
  const decided = await decideOp(trx, context, locked, loaded);
  return saveOp(trx, context, locked, loaded, decided);
}

/**
 * Serialises concurrent ops of one user within this node, so that they hold one connection instead of all of them while
 * waiting for each other's lock. Ops on other nodes do wait for the lock. Rethrows errors of `receive`.
 */
function inUserOrder<Value>(user_id: string, receive: () => Promise<Value>): Promise<Value> {
  const last = (queues.get(user_id) ?? Promise.resolve()).then(receive, receive);
  queues.set(user_id, last);
  const forget = () => {
    if (queues.get(user_id) === last) queues.delete(user_id);
  };
  last.then(forget, forget);
  return last;
}
