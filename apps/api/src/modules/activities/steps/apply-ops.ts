import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { AppError } from '#api/platform/errors.ts';
import type { OpContext } from '../context.ts';
import { listWaitingScanners } from '../proofs/waiting-store.ts';
import { attempt } from '../refusals.ts';
import { lockUsers } from '../store.ts';
import { applyLocked, endedBy } from './apply-locked.ts';
import { applyNow } from './apply-op.ts';
import { hashOf, type SentOp } from './op-store.ts';
import { inTurn } from './turns.ts';

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
