import type { SealedWorkState } from '#web/shared/outbox/sealed/sealed-work.ts';
import type { OutboxSnapshot } from '#web/shared/outbox/snapshot.ts';
import type { QueuedMessage } from '#web/shared/outbox/store/queued-message.ts';
import { countSealedItems } from '#web/shared/outbox/store/records.ts';
import { isClockUnsure, isOverlapOp } from './overlap.ts';

/** The state of the sync chip. `quiet`: the chip is hidden. */
export type SyncState =
  | { kind: 'quiet' | 'syncing' | 'synced' | 'failed' | 'broken' }
  | { kind: 'pending' | 'refused' | 'undecided' | 'unreadable'; count: number };

/** Derived from the rows every time: a separately kept counter could be wrong. `online`: see `waitingMessages`. */
export function syncStateOf(
  { status, ops, dead, messages, storage_error }: OutboxSnapshot,
  online: boolean,
  sealed: Pick<SealedWorkState, 'opening' | 'unreadable'>,
): SyncState {
  if (storage_error) return { kind: 'broken' };
  if (status === 'syncing') return { kind: 'syncing' };
  if (status === 'error') return { kind: 'failed' };
  const undecided_ids = listUndecidedIds(dead);
  // The ops of one activity are one entry of the list.
  const refused_ids = new Set(dead.map(({ client_id }) => client_id).filter((id) => !undecided_ids.has(id)));
  const refused = refused_ids.size + refusedMessages(messages).length;
  if (refused > 0) return { kind: 'refused', count: refused };
  if (undecided_ids.size > 0) return { kind: 'undecided', count: undecided_ids.size };
  const unreadable = countSealedItems(sealed.unreadable);
  if (unreadable > 0) return { kind: 'unreadable', count: unreadable };
  const pending = ops.length + listPendingMessages(messages, online).length + countSealedItems(sealed.opening);
  if (status === 'success' && pending === 0) return { kind: 'synced' };
  return pending > 0 ? { kind: 'pending', count: pending } : { kind: 'quiet' };
}

/** Returns the activities (client_ids) that wait for the athlete's choice, or for the end of one that runs. */
function listUndecidedIds(dead: OutboxSnapshot['dead']): Set<string> {
  return new Set(dead.filter((op) => isOverlapOp(op) || isClockUnsure(op)).map(({ client_id }) => client_id));
}

/**
 * Returns the waiting messages; [] while all are in flight for the first time, as that ends before the user could read
 * it.
 */
function listPendingMessages(messages: readonly QueuedMessage[], online: boolean): QueuedMessage[] {
  const waiting = messages.filter(({ refused }) => refused === null);
  return online && waiting.every(({ attempts }) => attempts === 0) ? [] : waiting;
}

/** Returns whether an op or a message waits for a network, or for the server to accept it. */
export function hasWaiting({ ops, messages }: Pick<OutboxSnapshot, 'ops' | 'messages'>, online: boolean): boolean {
  const is_tried = (row: { attempts: number }) => !online || row.attempts > 0;
  return ops.some(is_tried) || messages.some((message) => message.refused === null && is_tried(message));
}

/** Returns when the oldest op or message that waits to be sent was saved, ms epoch of this device; null without one. */
export function oldestUnsentAt({ ops, messages }: Pick<OutboxSnapshot, 'ops' | 'messages'>): number | null {
  const waiting = [...ops, ...messages.filter(({ refused }) => refused === null)];
  return waiting.length === 0 ? null : Math.min(...waiting.map(({ created_at }) => created_at));
}

export function refusedMessages(messages: readonly QueuedMessage[]): QueuedMessage[] {
  return messages.filter(({ refused }) => refused !== null);
}
