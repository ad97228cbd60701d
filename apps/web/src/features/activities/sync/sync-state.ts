import type { OutboxSnapshot } from '#web/shared/outbox/snapshot.ts';
import type { WaitingMessage } from '#web/shared/outbox/store/waiting-message.ts';

/** What the sync chip says. `quiet`: nothing to say, nothing to show. */
export type SyncState =
  | { kind: 'quiet' | 'syncing' | 'synced' | 'failed' | 'broken' }
  | { kind: 'pending' | 'refused'; count: number };

/** Derived from the rows every time: a number that is counted along can be wrong. `online`: see `waitingMessages`. */
export function syncStateOf({ status, ops, dead, messages, broken }: OutboxSnapshot, online: boolean): SyncState {
  if (broken) return { kind: 'broken' };
  if (status === 'syncing') return { kind: 'syncing' };
  if (status === 'error') return { kind: 'failed' };
  const refused = dead.length + refusedMessages(messages).length;
  if (refused > 0) return { kind: 'refused', count: refused };
  const pending = ops.length + waitingMessages(messages, online).length;
  if (status === 'success' && pending === 0) return { kind: 'synced' };
  return pending > 0 ? { kind: 'pending', count: pending } : { kind: 'quiet' };
}

/** The messages that wait; none while all are on their way for the first time, which is over before it is read. */
function waitingMessages(messages: readonly WaitingMessage[], online: boolean): WaitingMessage[] {
  const waiting = messages.filter(({ refused }) => refused === null);
  return online && waiting.every(({ attempts }) => attempts === 0) ? [] : waiting;
}

export function refusedMessages(messages: readonly WaitingMessage[]): WaitingMessage[] {
  return messages.filter(({ refused }) => refused !== null);
}
