import type { Op } from '@sendlap/contract/activities.ts';
import type { ClockNote } from '@sendlap/domain/recording/clock-correction.ts';
import type { OutboxTransaction } from './database.ts';
import { completeLocally, createLocalActivity, findLocalActivity, reopenLocally } from './local-activity.ts';
import type { ActivityDraft, ActivityFacts, FinishUndo, LocalActivity, QueuedOp } from './records.ts';

export interface SaveOptions {
  /** Facts of the activity for its screens: with every op of the user's own activity. */
  facts?: ActivityFacts;
  /** Holds the op here this long, ms, so that `undoOp` can undo it. */
  hold_ms?: number;
  /** How long the finish of an activity can be undone, ms. */
  undo_ms?: number;
  /** See `QueuedOp`. */
  resolves?: string;
}

/** Returns whether the op can still be undone. A device clock that was set back must not hold an op forever. */
export function isHeld({ created_at, hold_until }: Pick<QueuedOp, 'created_at' | 'hold_until'>, now: number): boolean {
  return hold_until !== null && now < hold_until && now >= created_at;
}

/** Adds a row to send as soon as possible; the database assigns its seq. */
export async function enqueueOp(transaction: OutboxTransaction, row: Omit<QueuedOp, 'seq'>): Promise<void> {
  await transaction.objectStore('ops').add(row as QueuedOp);
}

export function createQueueRow(user_id: string, op: Op, created_at: number): Omit<QueuedOp, 'seq'> {
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

/** Saves the athlete's draft of a running activity; `facts` for one that began on another device. */
export async function saveDraft(transaction: OutboxTransaction, { draft, ...about }: NewDraft): Promise<void> {
  const existing = await findLocalActivity(transaction, about.client_id);
  const local = existing ?? createLocalActivity({ ...about, status: 'synced' });
  await transaction.objectStore('activities').put({ ...local, draft });
}

export interface NewOp extends SaveOptions {
  user_id: string;
  op: Op;
  /** ms epoch */
  now: number;
  random: string;
  /** Set if the times of the op may be wrong, see `QueuedOp`. */
  clock: ClockNote | null;
}

function hasTime({ kind }: Op): boolean {
  return kind !== 'delete' && kind !== 'reopen' && kind !== 'withdraw';
}

/** Saves an op and its effect on the local activity, in one transaction. Idempotent by op id. */
export async function saveOp(transaction: OutboxTransaction, new_op: NewOp): Promise<void> {
  const { user_id, op, facts, hold_ms, resolves, now } = new_op;
  const existing_key = await transaction.objectStore('ops').index('op_id').getKey(op.op_id);
  if (existing_key !== undefined) return;
  if (op.kind === 'start') {
    await finalizeFinishes(transaction, user_id);
    await finalizeDeletions(transaction, user_id);
  }
  const before = await findLocalActivity(transaction, op.client_id);
  const after = applyOpLocally(before, new_op);
  if (after) await transaction.objectStore('activities').put(after);
  await enqueueOp(transaction, {
    ...createQueueRow(user_id, op, now),
    ...(facts ? { facts } : {}),
    ...(resolves ? { resolves } : {}),
    ...(new_op.clock && hasTime(op) ? { clock: new_op.clock } : {}),
    ...(hold_ms === undefined ? {} : { hold_until: now + hold_ms }),
  });
}

/** Corrections, deletions and appeals change nothing here: the screens read them from the queue. */
function applyOpLocally(before: LocalActivity | null, { op, facts, undo_ms, ...context }: NewOp): LocalActivity | null {
  if (op.kind !== 'start' && op.kind !== 'finish') return null;
  const { client_id } = op;
  if (op.kind === 'start') {
    return facts ? (before ?? createLocalActivity({ ...context, facts, client_id, status: 'pending' })) : null;
  }
  const existing = before ?? (facts ? createLocalActivity({ ...context, facts, client_id, status: 'synced' }) : null);
  if (!existing) return null;
  const completed = completeLocally(existing, op);
  const { intensity } = existing;
  return undo_ms === undefined
    ? completed
    : { ...completed, undo: { since: context.now, until: context.now + undo_ms, intensity } };
}

/** Makes finishes final: an athlete who starts another activity, or shows the code, has really finished. */
export async function finalizeFinishes(transaction: OutboxTransaction, user_id: string): Promise<void> {
  const activities = transaction.objectStore('activities');
  for (const activity of await activities.index('user_id').getAll(user_id)) {
    if (activity.undo) await activities.put({ ...activity, undo: undefined });
  }
}

/** Sends held deletions at once: an undo would let the deleted activity run beside the one that starts now. */
async function finalizeDeletions(transaction: OutboxTransaction, user_id: string): Promise<void> {
  const ops = transaction.objectStore('ops');
  for (const op of await ops.index('user_id').getAll(user_id)) {
    if (op.kind === 'delete' && op.hold_until !== null) await ops.put({ ...op, hold_until: null });
  }
}

/** Undoes a held op. Returns false if its time is over: it may be in flight. */
export async function undoOp(transaction: OutboxTransaction, op_id: string, now: number): Promise<boolean> {
  const ops = transaction.objectStore('ops');
  const op = await ops.index('op_id').get(op_id);
  if (!op || !isHeld(op, now)) return false;
  await ops.delete(op.seq);
  return true;
}

/** Returns whether a finish can still be undone. A device clock that was set back must not prolong that. */
function canUndo({ since, until }: FinishUndo, now: number): boolean {
  return now < until && now >= since;
}

interface ReopenInput extends Pick<NewOp, 'user_id' | 'now' | 'facts'> {
  op: Extract<Op, { kind: 'reopen' }>;
}

/**
 * Undoes a finish with a separate op, because the finish may have been sent. Returns false, and writes nothing, if its
 * time is over or it was undone before.
 */
export async function reopen(
  transaction: OutboxTransaction,
  { user_id, op, facts, now }: ReopenInput,
): Promise<boolean> {
  const local = await findLocalActivity(transaction, op.client_id);
  if (local?.user_id !== user_id || !local.undo || !canUndo(local.undo, now)) return false;
  await transaction.objectStore('activities').put(reopenLocally(local, local.undo));
  const dead = transaction.objectStore('dead');
  for (const refused of await dead.index('user_id').getAll(user_id)) {
    if (refused.client_id === op.client_id && refused.kind === 'finish') await dead.delete(refused.op_id);
  }
  await enqueueOp(transaction, { ...createQueueRow(user_id, op, now), ...(facts ? { facts } : {}) });
  return true;
}
