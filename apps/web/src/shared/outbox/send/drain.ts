import type { Op, OpResult } from '@sendlap/contract/activities.ts';
import { ERROR_STATUS, isErrorCode } from '@sendlap/contract/wire/errors.ts';
import type { ClockMeasurement } from '@sendlap/domain/recording/clock-correction.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import { backOffMs, withJitter } from '#web/shared/lib/back-off.ts';
import type { QueuedOp } from '../store/records.ts';
import type { SendStore } from '../store/send-store.ts';
import { MAX_BATCH, nextBatch, orderingKeyOf } from './batch.ts';
import { type EpochDeps, RequeuedError, watchRequeues } from './watch-requeues.ts';

const BACK_OFF = { first_ms: 2_000, max_ms: 60_000 };
/** Less than half of the time-out of a request: twice the batch still passes. */
const QUICK_MS = 4_000;
/** Refusals of the request itself by our server that no retry changes. A proxy or a public network refuses nothing. */
const FINAL_CODES = new Set(['bad_request', 'validation_failed', 'payload_too_large', 'idempotency_mismatch']);

export interface DrainDeps extends EpochDeps {
  store: Pick<SendStore, 'listOps' | 'applyResults' | 'recordFailure' | 'correctTimes'>;
  /** POST /v1/activities/sync as this user; throws ApiError, or what `beforeSend` throws. */
  send: (ops: Op[], beforeSend: () => Promise<void>) => Promise<OpResult[]>;
  /** ms epoch of this device */
  now: () => number;
  /** Measures the clock against the server's, if it may have moved; null: the server does not tell its time. */
  measureClock: () => Promise<ClockMeasurement | null>;
  /** 0 ≤ x < 1 */
  random: () => number;
  /** Called before the first batch is sent. */
  onBegin: () => void;
  /** The server's answers; the rows are already updated. */
  onResults: (results: OpResult[]) => void;
}

/** The result of a drain. `wait_ms`: when to check again; null: no op is held or parked. */
export type DrainResult =
  | { outcome: 'done'; sent: number; wait_ms: number | null }
  | { outcome: 'failed'; sent: number; wait_ms: number }
  | { outcome: 'signed_out'; sent: number };

/** Returns the back-off after the nth failure in a row, ms: 2 s doubled each time up to 1 min, half of it jitter. */
export function sendBackOffMs(failures: number, random: number): number {
  return Math.round(withJitter(backOffMs(BACK_OFF, failures), random));
}

/**
 * Sends all sendable ops of `user_id`, in batches, until all are sent or one fails. Never reads other users' ops. An op
 * leaves the queue only after the server's answer is on disk; after a crash in between it is sent again with the same
 * op id, which the server answers with the same outcome.
 */
export async function drain(deps: DrainDeps, user_id: string): Promise<DrainResult> {
  const { store, now } = deps;
  const parked = new Map<string, number>();
  let limit = MAX_BATCH;
  /** What the line carries in time, as far as earlier time-outs have shown. */
  let line_limit: number | undefined;
  let sent = 0;
  let has_begun = false;
  for (;;) {
    const assertNotRequeued = await watchRequeues(deps);
    const unmeasured = await correctTimes(deps, user_id);
    if (unmeasured) return { outcome: 'failed', sent, wait_ms: unmeasured.wait_ms };
    // Before the rows are read: a later time would send a step that was undone while they were on their way.
    const read_at = now();
    const waiting = await store.listOps(user_id);
    line_limit ??= Math.min(...waiting.map(({ batch_limit = MAX_BATCH }) => batch_limit));
    const { ops, held_until } = nextBatch(waiting, read_at, parked, Math.min(limit, line_limit));
    if (ops.length === 0) {
      const wait_ms = held_until === null ? null : Math.max(0, held_until - now());
      return parked.size > 0 ? { outcome: 'failed', sent, wait_ms: wait_ms ?? 0 } : { outcome: 'done', sent, wait_ms };
    }
    if (!has_begun) deps.onBegin();
    has_begun = true;
    try {
      const { confirmed_count, postponed } = await sendBatch(deps, ops, assertNotRequeued);
      sent += confirmed_count;
      // Ops that the server postpones must not block ops that it would accept now.
      for (const op of postponed) park(deps, parked, [op]);
      limit = MAX_BATCH;
      if (now() - read_at < QUICK_MS) line_limit = Math.max(line_limit, 2 * ops.length);
    } catch (error) {
      if (error instanceof RequeuedError) continue;
      const failure = await handleFailure(deps, ops, error);
      if (failure === 'signed_out') return { outcome: 'signed_out', sent };
      // One op may spoil the whole batch; halving the batch finds it in a few attempts.
      if (failure === 'split') limit = Math.ceil(ops.length / 2);
      else if (failure === 'answered') sent += 1;
      else if (failure === 'park') park(deps, parked, ops);
      else return { outcome: 'failed', sent, wait_ms: retryMs(deps, ops, error) };
    }
  }
}

/** An op is never changed after it was sent, so its times are corrected first. Set if the server could not be asked. */
async function correctTimes(deps: DrainDeps, user_id: string): Promise<{ wait_ms: number } | null> {
  try {
    await deps.store.correctTimes(user_id, deps.measureClock);
    return null;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const ops = await deps.store.listOps(user_id);
    const op_ids = ops.map(({ op_id }) => op_id);
    await deps.store.recordFailure(op_ids, error.code);
    return { wait_ms: retryMs(deps, ops, error) };
  }
}

/** Returns how many ops left the queue, and which the server wants again later. */
async function sendBatch(
  { send, store, onResults }: DrainDeps,
  ops: QueuedOp[],
  assertNotRequeued: () => Promise<void>,
): Promise<{ confirmed_count: number; postponed: QueuedOp[] }> {
  const replies = await send(
    ops.map((op) => op.payload),
    assertNotRequeued,
  );
  await assertNotRequeued();
  const answers = new Map(replies.map((result) => [result.op_id, result]));
  const results = ops.flatMap((op) => answers.get(op.op_id) ?? []).filter(isFinal);
  if (results.length > 0) {
    await store.applyResults(results);
    onResults(results);
  }
  const confirmed_ids = new Set(results.map((result) => result.op_id));
  const postponed = ops.filter((op) => !confirmed_ids.has(op.op_id));
  for (const { op_id } of postponed) {
    await store.recordFailure([op_id], answers.get(op_id)?.message ?? 'The server did not answer this step');
  }
  return { confirmed_count: results.length, postponed };
}

/** An op refused for now (too many, busy) is sent again; every other answer is final. */
function isFinal({ outcome, code }: OpResult): boolean {
  if (outcome !== 'rejected' || !isErrorCode(code)) return true;
  const status = ERROR_STATUS[code];
  return status !== 408 && status !== 429 && status < 500 && status !== 401 && status !== 403;
}

type Failure = 'signed_out' | 'split' | 'answered' | 'park' | 'later';

async function handleFailure({ store, onResults }: DrainDeps, ops: QueuedOp[], error: unknown): Promise<Failure> {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 401 || error.status === 403) return 'signed_out';
  const is_final = error.is_from_our_server && FINAL_CODES.has(error.backend_error ?? '');
  const is_poisoned = is_final || error.status === 500 || error.code === 'UNKNOWN_ERROR';
  if (is_poisoned && ops.length > 1) return 'split';
  const [op] = ops;
  if (is_final && op) {
    const code = error.backend_error ?? error.code;
    const refusal: OpResult = { op_id: op.op_id, outcome: 'rejected', code, message: error.message };
    await store.applyResults([refusal]);
    onResults([refusal]);
    return 'answered';
  }
  const op_ids = ops.map(({ op_id }) => op_id);
  // A weak line would cut the same batch each time. The smaller one waits for the next drain: the network may be dead.
  const batch_limit = error.code === 'TIMEOUT' ? { batch_limit: Math.ceil(ops.length / 4) } : {};
  await store.recordFailure(op_ids, error.code === 'HTTP_ERROR' ? error.message : error.code, batch_limit);
  return is_poisoned ? 'park' : 'later';
}

/** An op that breaks the server must not block ops with other ordering keys. */
function park({ now, random }: DrainDeps, parked: Map<string, number>, [op]: QueuedOp[]): void {
  if (op) parked.set(orderingKeyOf(op), now() + sendBackOffMs(op.attempts + 1, random()));
}

function retryMs({ random }: DrainDeps, ops: QueuedOp[], error: unknown): number {
  const failures = 1 + Math.min(...ops.map((op) => op.attempts));
  const retry_after_ms = error instanceof ApiError ? error.retry_after_s * 1000 : 0;
  return Math.max(retry_after_ms, sendBackOffMs(failures, random()));
}
