import type { OutboxSnapshot } from '#web/shared/outbox/snapshot.ts';

/** What the sync chip says. `quiet`: nothing to say, nothing to show. */
export type SyncState =
  | { kind: 'quiet' | 'syncing' | 'synced' | 'failed' | 'broken' }
  | { kind: 'pending' | 'refused'; count: number };

/** Derived from the rows every time: a number that is counted along can be wrong. */
export function syncStateOf({ status, ops, dead, broken }: OutboxSnapshot): SyncState {
  if (broken) return { kind: 'broken' };
  if (status === 'syncing') return { kind: 'syncing' };
  if (status === 'error') return { kind: 'failed' };
  if (dead.length > 0) return { kind: 'refused', count: dead.length };
  if (status === 'success' && ops.length === 0) return { kind: 'synced' };
  return ops.length > 0 ? { kind: 'pending', count: ops.length } : { kind: 'quiet' };
}
