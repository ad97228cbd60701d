import { isOwnStep, type QueuedOp } from '../store/records.ts';
import { isHeld } from '../store/save-op.ts';

/** The server takes this many steps at once. */
export const MAX_BATCH = 50;

/**
 * What has to arrive in order. The steps of a user's own activities are one line, because the next activity can't start
 * before the last one was finished; decisions depend on nothing but earlier ones about the same activity.
 */
export function lineOf(op: Pick<QueuedOp, 'kind' | 'client_id'>): string {
  return isOwnStep(op) ? 'steps' : `scan ${op.client_id}`;
}

export interface Batch {
  ops: QueuedOp[];
  /** When the next held step may be sent, ms epoch; null when none is held. */
  held_until: number | null;
}

/**
 * The next steps to send, in the order they were saved. A line stops at its first step that is held, and is left out
 * while it is parked (until the given ms epoch).
 */
export function nextBatch(ops: QueuedOp[], now: number, parked: ReadonlyMap<string, number>, limit = MAX_BATCH): Batch {
  const stopped = new Set<string>();
  const batch: Batch = { ops: [], held_until: null };
  for (const op of ops) {
    const line = lineOf(op);
    if (stopped.has(line)) continue;
    const wait_until = isHeld(op, now) ? op.hold_until : (parked.get(line) ?? null);
    if (wait_until !== null && now < wait_until) {
      stopped.add(line);
      batch.held_until = Math.min(batch.held_until ?? wait_until, wait_until);
    } else if (batch.ops.length < limit) {
      batch.ops.push(op);
    }
  }
  return batch;
}
