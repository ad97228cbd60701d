import type { Op } from '@sendlap/contract/activities.ts';
import type { OutboxTransaction } from './database.ts';
import { completeLocally, createLocalActivity, findLocal } from './local-activity.ts';
import type { ActivityDraft, ActivityFacts, LocalActivity, QueuedOp } from './records.ts';

export interface SaveOptions {
  /** About the activity, for its screens: with every step of an own one. */
  facts?: ActivityFacts;
  /** Keeps the step here this long, ms, so that `undoOp` can take it back. */
  hold_ms?: number;
}

/** Within its time to be undone. A device clock that was set back must not hold a step for ever. */
export function isHeld({ created_at, hold_until }: Pick<QueuedOp, 'created_at' | 'hold_until'>, now: number): boolean {
  return hold_until !== null && now < hold_until && now >= created_at;
}

/** A row that is to be sent as soon as it can be; the database gives it its seq. */
export async function queueOp(transaction: OutboxTransaction, row: Omit<QueuedOp, 'seq'>): Promise<void> {
  await transaction.objectStore('ops').add(row as QueuedOp);
}

export function newRow(user_id: string, op: Op, created_at: number): Omit<QueuedOp, 'seq'> {
  const { op_id, client_id, kind } = op;
  const row = { op_id, client_id, user_id, kind, payload: op, created_at };
  return { ...row, attempts: 0, last_error: null, hold_until: null };
}

interface NewDraft {
  user_id: string;
  client_id: string;
  draft: ActivityDraft;
  facts: ActivityFacts;
  now: number;
  random: string;
}

/** Keeps what the athlete noted about a running activity; `facts` for one that began elsewhere. */
export async function saveDraft(transaction: OutboxTransaction, { draft, ...about }: NewDraft): Promise<void> {
  const known = await findLocal(transaction, about.client_id);
  const local = known ?? createLocalActivity({ ...about, status: 'synced' });
  await transaction.objectStore('activities').put({ ...local, draft });
}

interface NewStep extends SaveOptions {
  user_id: string;
  op: Op;
  /** ms epoch */
  now: number;
  random: string;
  /** Whether the times of the step are the server's, as well as this device knows them. */
  clock_known: boolean;
}

/** A step and its effect on the local activity, in one transaction. Saving the same op twice is saving it once. */
export async function saveOp(transaction: OutboxTransaction, step: NewStep): Promise<void> {
  const { user_id, op, facts, hold_ms, now } = step;
  const known = await transaction.objectStore('ops').index('op_id').getKey(op.op_id);
  if (known !== undefined) return;
  if (op.kind === 'start') await releaseFinishes(transaction, user_id);
  const before = await findLocal(transaction, op.client_id);
  const after = stepLocally(before, step);
  if (after) await transaction.objectStore('activities').put(after);
  await queueOp(transaction, {
    ...newRow(user_id, op, now),
    ...(facts ? { facts } : {}),
    ...(step.clock_known ? {} : { clock_unknown: true as const }),
    ...(hold_ms === undefined ? {} : { hold_until: now + hold_ms }),
    ...(hold_ms !== undefined && after ? { undo: { activity: before } } : {}),
  });
}

/** Corrections, deletions and appeals change nothing here: the screens read them from the queue. */

function stepLocally(before: LocalActivity | null, { op, facts, ...who }: NewStep): LocalActivity | null {
  if (op.kind !== 'start' && op.kind !== 'finish') return null;
  const { client_id } = op;
  if (op.kind === 'start') {
    return facts ? (before ?? createLocalActivity({ ...who, facts, client_id, status: 'pending' })) : null;
  }
  const known = before ?? (facts ? createLocalActivity({ ...who, facts, client_id, status: 'synced' }) : null);
  return known && completeLocally(known, op);
}

/** Whoever starts anew has finished what ran: taking that back would leave two of them running. */
async function releaseFinishes(transaction: OutboxTransaction, user_id: string): Promise<void> {
  const ops = transaction.objectStore('ops');
  for (const op of await ops.index('user_id').getAll(user_id)) {
    if (op.kind === 'finish' && op.hold_until !== null) await ops.put({ ...op, hold_until: null });
  }
}

/** Gives up the time in which a step can be undone: from now on it may be sent. */
export async function releaseOp(transaction: OutboxTransaction, op_id: string): Promise<void> {
  const ops = transaction.objectStore('ops');
  const op = await ops.index('op_id').get(op_id);
  if (op) await ops.put({ ...op, hold_until: null });
}

/** Takes a held step and its effect back. False when its time is over: it may be on its way. */
export async function undoOp(transaction: OutboxTransaction, op_id: string, now: number): Promise<boolean> {
  const ops = transaction.objectStore('ops');
  const op = await ops.index('op_id').get(op_id);
  if (!op || !isHeld(op, now)) return false;
  if (op.undo) await bringBack(transaction, op.client_id, op.undo.activity);
  await ops.delete(op.seq);
  return true;
}

async function bringBack(
  transaction: OutboxTransaction,
  client_id: string,
  before: LocalActivity | null,
): Promise<void> {
  const activities = transaction.objectStore('activities');
  const local = await findLocal(transaction, client_id);
  // The server may have spoken about the activity meanwhile.
  if (before) await activities.put({ ...before, server: local?.server ?? null });
  else if (local) await activities.delete(local.id);
}
