import type { Activity, Op, OpResult } from '@sendlap/contract/activities.ts';
import type { LiveEvent } from '@sendlap/contract/events.ts';
import type { OutboxTransaction } from './database.ts';
import { findLocalActivity, markDeleted, markSynced } from './local-activity.ts';
import { deleteMerged, listRefused, showUnmerged } from './merged-activity.ts';
import { withPausedTime } from './paused-time.ts';
import { isAccepted } from './queued-message.ts';
import { type DeadOp, isOwnOp, type LocalActivity, type QueuedOp } from './records.ts';
import { createQueueRow, enqueueOp } from './save-op.ts';
import { keepSent } from './sent.ts';

/** Applies the server's answer to an op: the op leaves the queue for good. */
export async function applyOpResult(
  transaction: OutboxTransaction,
  result: OpResult,
  { now, keeps_copy }: { now: number; keeps_copy: boolean },
): Promise<void> {
  const ops = transaction.objectStore('ops');
  const op = await ops.index('op_id').get(result.op_id);
  if (!op) return;
  await ops.delete(op.seq);
  const waiting_scan = await transaction.objectStore('waiting').get(op.op_id);
  if (waiting_scan) await transaction.objectStore('waiting').delete(op.op_id);
  const { hold_until, ...row } = op;
  if (keeps_copy && result.outcome !== 'rejected')
    await keepSent(transaction, { id: op.op_id, user_id: op.user_id, sent_at: now, op: { ...op, hold_until: null } });
  if (result.outcome === 'rejected') {
    // The server may have kept it waiting before.
    await transaction.objectStore('sent').delete(op.op_id);
    // A finish that was undone in between needs no correction.
    if (op.kind === 'finish' && (await isReopened(transaction, op))) return;
    if (op.resolves !== undefined) {
      await dropRestOfResolution(transaction, op);
      return showServerState(transaction, { ...op, now }, result.activity ?? null);
    }
    // The server never had it, so that it is deleted everywhere.
    if (op.kind === 'delete' && result.code === 'activity_not_found') return deleteUnknown(transaction, op);
    const { code = 'HTTP_ERROR', message = '' } = result;
    await transaction.objectStore('dead').put({ ...row, code, message, died_at: now });
    if (op.kind === 'reopen') await showServerState(transaction, { ...op, now }, result.activity ?? null);
    return;
  }
  if (result.outcome === 'waiting') {
    const { op_id, client_id, user_id, payload } = row;
    await transaction
      .objectStore('waiting')
      .put({ op_id, client_id, user_id, payload, noted_at: waiting_scan?.noted_at ?? now });
    return;
  }
  await deleteMerged(transaction, op, result.activity ?? null);
  if (op.payload.kind === 'withdraw') await transaction.objectStore('waiting').delete(op.payload.scan_op_id);
  const local = isOwnOp(op) ? await findLocalActivity(transaction, op.client_id) : null;
  if (op.kind === 'delete') return applyDeletion(transaction, { ...op, now }, result.activity ?? null);
  if (!local) return;
  const is_last = !(await isQueued(transaction, local));
  await transaction.objectStore('activities').put(markSynced(local, result.activity ?? null, { is_last, now }));
}

/** The server has deleted the activity. It is always in the answer; without it, only the local row can go. */
async function applyDeletion(
  transaction: OutboxTransaction,
  op: Pick<QueuedOp, 'client_id' | 'user_id' | 'op_id'> & { now: number },
  server: Activity | null,
): Promise<void> {
  const local = await findLocalActivity(transaction, op.client_id);
  const activities = transaction.objectStore('activities');
  if (server) await activities.put(markDeleted(local, server, op));
  else if (local) await activities.delete(local.id);
}

/**
 * The server refused one op that resolves an overlap: the later ops of that resolution would change the other activity for
 * nothing, and may drop its confirmation.
 */
async function dropRestOfResolution(
  transaction: OutboxTransaction,
  { user_id, resolves, ...refused }: QueuedOp,
): Promise<void> {
  const ops = transaction.objectStore('ops');
  for (const op of await ops.index('user_id').getAll(user_id)) {
    if (op.resolves === resolves && op.seq > refused.seq) await ops.delete(op.seq);
  }
  await showUnmerged(transaction, { ...refused, user_id, resolves });
}

/** The change that this device has shown already was refused: the server's state of the activity applies. */
async function showServerState(
  transaction: OutboxTransaction,
  { client_id, now }: { client_id: string; now: number },
  server: Activity | null,
): Promise<void> {
  const local = await findLocalActivity(transaction, client_id);
  if (!local || !server) return;
  const { ended_at, paused_s, intensity, distance_m } = server;
  const is_last = !(await isQueued(transaction, local));
  const restored = { ...local, ended_at, paused_s, intensity, distance_m };
  await transaction.objectStore('activities').put(markSynced(restored, server, { is_last, now }));
}

/** Deletes an activity that only this device has, with its refused ops. */
async function deleteUnknown(transaction: OutboxTransaction, { user_id, client_id }: QueuedOp): Promise<void> {
  for (const { op_id } of await listRefused(transaction, { user_id, client_id })) {
    await transaction.objectStore('dead').delete(op_id);
  }
  const local = await findLocalActivity(transaction, client_id);
  if (local?.user_id === user_id) await transaction.objectStore('activities').delete(local.id);
}

export type DecidedScan = Pick<Extract<LiveEvent, { type: 'scan_decided' }>, 'op_id' | 'outcome' | 'code'>;

/** The server has decided a scan that waited there: deletes its note, and keeps a refusal visible. */
export async function applyScanDecision(
  transaction: OutboxTransaction,
  { op_id, outcome, code }: DecidedScan,
  now: number,
): Promise<void> {
  const scan = await transaction.objectStore('waiting').get(op_id);
  if (!scan) return;
  await transaction.objectStore('waiting').delete(op_id);
  if (outcome !== 'rejected') return;
  await transaction.objectStore('sent').delete(op_id);
  const { noted_at, ...scan_fields } = scan;
  const row = {
    ...scan_fields,
    seq: noted_at,
    kind: scan.payload.kind,
    created_at: noted_at,
    attempts: 1,
    last_error: null,
  };
  await transaction.objectStore('dead').put({ ...row, code: code ?? 'HTTP_ERROR', message: '', died_at: now });
}

/**
 * Queues the scans that wait on the server again: news of them may have been missed, and the server answers the same op
 * id with the outcome.
 */
export async function requeueWaitingScans(transaction: OutboxTransaction, user_id: string, now: number): Promise<void> {
  for (const { op_id, payload } of await transaction.objectStore('waiting').index('user_id').getAll(user_id)) {
    const existing_key = await transaction.objectStore('ops').index('op_id').getKey(op_id);
    if (existing_key === undefined) await enqueueOp(transaction, createQueueRow(user_id, payload, now));
  }
}

/**
 * Start and end (ISO 8601) as the athlete corrected them in refused ops, and distance and seconds at rest of a merged
 * activity.
 */
export interface CorrectedTimes {
  started_at?: string;
  ended_at?: string;
  distance_m?: number;
  paused_s?: number;
}

/**
 * Queues the refused ops of an activity again, with corrected times if the athlete entered some. They get new op ids:
 * the server remembers its refusal of the old ones forever. One that was just made part of another activity stays that:
 * the page that sends it again may not know yet.
 */
export async function retryDead(
  transaction: OutboxTransaction,
  activity: Pick<DeadOp, 'user_id' | 'client_id'>,
  { now, newId, times = {} }: { now: number; newId: () => string; times?: CorrectedTimes },
): Promise<void> {
  const refused = (await listRefused(transaction, activity)).filter(({ merged_by }) => !merged_by);
  if (refused.length === 0) return;
  const found = await findLocalActivity(transaction, activity.client_id);
  let local = found?.user_id === activity.user_id ? { ...found, ...times } : null;
  for (const { op_id, payload, user_id, facts } of refused) {
    const op = withTimes({ ...payload, op_id: newId() }, times, local);
    if (local && op.kind === 'finish') local = { ...local, paused_s: op.paused_s };
    const row = createQueueRow(user_id, op, now);
    await enqueueOp(transaction, facts ? { ...row, facts: { ...facts, ...pickStart(times) } } : row);
    await transaction.objectStore('dead').delete(op_id);
  }
  if (local) await transaction.objectStore('activities').put(local);
}

function withTimes(op: Op, { started_at, ...end }: CorrectedTimes, local: LocalActivity | null): Op {
  if (op.kind === 'start' && started_at) return { ...op, started_at };
  if (op.kind !== 'finish') return op;
  const finish = { ...op, ...end };
  return local && end.paused_s === undefined ? withPausedTime(finish, local) : finish;
}

function pickStart({ started_at }: CorrectedTimes): Pick<CorrectedTimes, 'started_at'> {
  return started_at ? { started_at } : {};
}

/** Deletes the refused ops of an activity, and the local activity with them unless another op of it is queued. */
export async function discardDead(
  transaction: OutboxTransaction,
  activity: Pick<DeadOp, 'user_id' | 'client_id'>,
): Promise<void> {
  const refused = await listRefused(transaction, activity);
  for (const op of refused) await transaction.objectStore('dead').delete(op.op_id);
  if (!refused.some((op) => op.kind === 'start' || op.kind === 'finish')) return;
  const local = await findLocalActivity(transaction, activity.client_id);
  if (local && !(await isQueued(transaction, local))) await transaction.objectStore('activities').delete(local.id);
}

/**
 * Deletes rows that were only kept for display: notes of scans, and activities and messages that the server has, of all
 * users; and the copies of what the server has, unless it `keeps_copies` and they can be sealed. Data that only this
 * device has stays: queued and refused ops and messages, and the lengths noted in a running activity.
 */
export async function pruneSent(
  transaction: OutboxTransaction,
  { keeps_copies }: { keeps_copies: boolean },
): Promise<void> {
  const keys = keeps_copies ? await transaction.objectStore('sealing_keys').getAllKeys() : [];
  for (const { id, user_id } of await transaction.objectStore('sent').getAll())
    if (!keys.includes(user_id)) await transaction.objectStore('sent').delete(id);
  await transaction.objectStore('waiting').clear();
  const messages = transaction.objectStore('messages');
  for (const message of await messages.getAll()) if (isAccepted(message)) await messages.delete(message.client_id);
  const unsent = [
    ...(await transaction.objectStore('ops').getAll()),
    ...(await transaction.objectStore('dead').getAll()),
  ];
  const unsent_ids = new Set(unsent.map((op) => op.client_id));
  const activities = transaction.objectStore('activities');
  for (const activity of await activities.getAll()) {
    if (!unsent_ids.has(activity.client_id) && !hasUnsentLengths(activity)) await activities.delete(activity.id);
  }
}

/** Returns whether a running activity holds lengths that only this device knows. */
export function hasUnsentLengths({ draft, ended_at }: LocalActivity): boolean {
  return draft !== null && ended_at === null;
}

/** Returns whether the server has all ops of this device for an activity: its state is then complete. */
export function isSynced(activity: LocalActivity, { ops, dead }: { ops: QueuedOp[]; dead: DeadOp[] }): boolean {
  if (activity.server === null && activity.status !== 'synced') return false;
  const isMine = (op: DeadOp | QueuedOp) => op.client_id === activity.client_id && isOwnOp(op);
  return !ops.some(isMine) && !dead.some((op) => isMine(op) && (op.kind === 'start' || op.kind === 'finish'));
}

async function isReopened(transaction: OutboxTransaction, { user_id, client_id, seq }: QueuedOp): Promise<boolean> {
  const ops = await transaction.objectStore('ops').index('user_id').getAll(user_id);
  return ops.some((op) => op.kind === 'reopen' && op.client_id === client_id && op.seq > seq);
}

/** Returns whether an op of the activity is still queued. */
async function isQueued(transaction: OutboxTransaction, { user_id, client_id }: LocalActivity): Promise<boolean> {
  const ops = await transaction.objectStore('ops').index('user_id').getAll(user_id);
  return ops.some((op) => op.client_id === client_id);
}
