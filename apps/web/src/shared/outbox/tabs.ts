import { openTabChannel } from '#web/shared/lib/tab-channel.ts';
import { withLock } from '#web/shared/lib/web-lock.ts';
import type { OutboxChannel } from './outbox.ts';
import { OUTBOX_NAME, type OutboxDatabase, openOutboxDatabase } from './store/database.ts';

/** Without locks (an old browser) two tabs may send the same op: the server applies it once. */
const LOCK = 'sendlap-outbox';

let opened: Promise<OutboxDatabase> | null = null;

/** Returns the outbox database, opened once in this tab or worker. */
export function openOutbox(): Promise<OutboxDatabase> {
  opened ??= openOutboxDatabase(OUTBOX_NAME, resetConnection).catch((error: unknown) => {
    resetConnection();
    throw error;
  });
  return opened;
}

function resetConnection(): void {
  opened = null;
}

/**
 * Runs exclusively among the tabs and the worker of this browser, after all earlier runs. Rejects if the signal aborts
 * before its turn.
 */
export function lockOutbox<Value>(work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  return withLock(LOCK, work, signal);
}

/** As `lockOutbox`, for one chat. */
export function lockChat<Value>(chat_id: string, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
  return withLock(`${LOCK} ${chat_id}`, work, signal);
}

/** Returns a channel to the other tabs and the worker. */
export function openOutboxChannel(): OutboxChannel {
  return openTabChannel('sendlap-outbox');
}
