import type { OpResult } from '@sendlap/contract/activities.ts';
import type { OutboxTransaction } from './database.ts';
import { findLocal, noteSynced } from './local-activity.ts';
import type { DeadOp, LocalActivity } from './records.ts';
import { newRow, queueOp } from './save-op.ts';

/** The server's answer to a step that was sent: it leaves the queue for good. */
export async function settleOp(transaction: OutboxTransaction, result: OpResult, now: number): Promise<void> {
  const ops = transaction.objectStore('ops');
  const op = await ops.index('op_id').get(result.op_id);
  if (!op) return;
  await ops.delete(op.seq);
  const { hold_until, undo, ...row } = op;
  if (result.outcome === 'rejected') {
    const { code = 'HTTP_ERROR', message = '' } = result;
    await transaction.objectStore('dead').put({ ...row, code, message, died_at: now });
    return;
  }
  if (result.outcome === 'waiting') {
    const { op_id, client_id, user_id, payload } = row;
    await transaction.objectStore('waiting').put({ op_id, client_id, user_id, payload, noted_at: now });
    return;
  }
  const local = op.kind === 'scan' ? null : await findLocal(transaction, op.client_id);
  if (!local) return;
  const is_last = !(await isQueued(transaction, local));
  await transaction.objectStore('activities').put(noteSynced(local, result.activity ?? null, is_last));
}

/**
 * Queues the refused steps of an activity again. They get new op ids: the server remembers its refusal of the old
 * ones for ever.
 */
export async function retryDead(
  transaction: OutboxTransaction,
  activity: Pick<DeadOp, 'user_id' | 'client_id'>,
  { now, newId }: { now: number; newId: () => string },
): Promise<void> {
  for (const { op_id, payload, user_id } of await listRefused(transaction, activity)) {
    await queueOp(transaction, newRow(user_id, { ...payload, op_id: newId() }, now));
    await transaction.objectStore('dead').delete(op_id);
  }
}

/** Gives up the refused steps of an activity, and the local activity with them unless a step of it still waits. */
export async function discardDead(
  transaction: OutboxTransaction,
  activity: Pick<DeadOp, 'user_id' | 'client_id'>,
): Promise<void> {
  const refused = await listRefused(transaction, activity);
  for (const op of refused) await transaction.objectStore('dead').delete(op.op_id);
  if (refused.every((op) => op.kind === 'scan')) return;
  const local = await findLocal(transaction, activity.client_id);
  if (local && !(await isQueued(transaction, local))) await transaction.objectStore('activities').delete(local.id);
}

/**
 * Forgets what was only kept for showing it: notes of scans and activities that the server has, of whomever. What
 * nobody else knows stays: steps that wait, refused ones, and the lengths noted in an activity that still runs.
 */
export async function forgetSent(transaction: OutboxTransaction): Promise<void> {
  await transaction.objectStore('waiting').clear();
  const unsent = [
    ...(await transaction.objectStore('ops').getAll()),
    ...(await transaction.objectStore('dead').getAll()),
  ];
  const kept = new Set(unsent.map((op) => op.client_id));
  const activities = transaction.objectStore('activities');
  for (const activity of await activities.getAll()) {
    if (!kept.has(activity.client_id) && !hasNotedLengths(activity)) await activities.delete(activity.id);
  }
}

/** Whether a running activity holds lengths that only this device knows. */
export function hasNotedLengths({ draft, ended_at }: LocalActivity): boolean {
  return draft !== null && ended_at === null;
}

async function listRefused(
  transaction: OutboxTransaction,
  { user_id, client_id }: Pick<DeadOp, 'user_id' | 'client_id'>,
): Promise<DeadOp[]> {
  const dead = await transaction.objectStore('dead').index('user_id').getAll(user_id);
  return dead.filter((op) => op.client_id === client_id).sort((a, b) => a.seq - b.seq);
}

/** Whether a step of the activity still waits to be sent. */
async function isQueued(transaction: OutboxTransaction, { user_id, client_id }: LocalActivity): Promise<boolean> {
  const ops = await transaction.objectStore('ops').index('user_id').getAll(user_id);
  return ops.some((op) => op.client_id === client_id);
}
