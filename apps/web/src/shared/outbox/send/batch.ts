import { isInDoubt } from '../store/judge-time.ts';
import { isOwnOp, type QueuedOp } from '../store/records.ts';
import { isHeld } from '../store/save-op.ts';

/** The server accepts this many ops per request. */
export const MAX_BATCH = 50;

/**
 * Returns the ordering key of an op: ops with one key have to arrive in order. All ops of a user's own activities share
 * one, because an activity can't start before the last one was finished; a decision only depends on earlier ones about
 * the same activity.
 */
export function orderingKeyOf(op: Pick<QueuedOp, 'kind' | 'client_id'>): string {
  return isOwnOp(op) ? 'steps' : `scan ${op.client_id}`;
}

export interface Batch {
  ops: QueuedOp[];
  /** When the next held op may be sent, ms epoch; null without a held one. */
  held_until: number | null;
}

/**
 * Returns the next ops to send, in the order they were saved. Each ordering key stops at its first op that is held, or
 * whose time is in doubt while a deletion of its activity is held, and for the whole drain if it is parked. `parked`:
 * ordering key to the ms epoch of its next attempt.
 */
export function nextBatch(ops: QueuedOp[], now: number, parked: ReadonlyMap<string, number>, limit = MAX_BATCH): Batch {
  const blocked_keys = new Set<string>();
  const held_deletions = new Map(
    ops.filter((op) => op.kind === 'delete' && isHeld(op, now)).map((op) => [op.client_id, op.hold_until]),
  );
  const heldUntil = (op: QueuedOp) =>
    isHeld(op, now) ? op.hold_until : isInDoubt(op) ? held_deletions.get(op.client_id) : null;
  const batch: Batch = { ops: [], held_until: null };
  for (const op of ops) {
    const ordering_key = orderingKeyOf(op);
    if (blocked_keys.has(ordering_key)) continue;
    const wait_until = heldUntil(op) ?? parked.get(ordering_key) ?? null;
    if (wait_until !== null) {
      blocked_keys.add(ordering_key);
      batch.held_until = Math.min(batch.held_until ?? wait_until, wait_until);
    } else if (batch.ops.length < limit) {
      batch.ops.push(op);
      // If the server refuses it, the later ops of this resolution of an overlap are deleted.
      if (op.resolves !== undefined) blocked_keys.add(ordering_key);
    }
  }
  return batch;
}
