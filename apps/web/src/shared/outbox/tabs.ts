import type { OutboxChannel, OutboxMessage } from './outbox.ts';
import { OUTBOX_NAME, type OutboxDatabase, openOutboxDatabase } from './store/database.ts';

const LOCK = 'sendlap-outbox';
const CHANNEL = 'sendlap-outbox';

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

/** Runs exclusively among the tabs and the worker of this browser, after all earlier runs. */
export function lockOutbox<Value>(work: () => Promise<Value>): Promise<Value> {
  return runLocked(LOCK, work);
}

/** As `lockOutbox`, for one chat. */
export function lockChat<Value>(chat_id: string, work: () => Promise<Value>): Promise<Value> {
  return runLocked(`${LOCK} ${chat_id}`, work);
}

/** Without locks (an old browser) two tabs may send the same op: the server applies it once. */
function runLocked<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
  return (navigator.locks ? navigator.locks.request(name, work) : work()) as Promise<Value>;
}

/** Returns a channel to the other tabs and the worker; a no-op channel if the browser has none. */
export function createChannel(): OutboxChannel {
  if (typeof BroadcastChannel === 'undefined') return { post: () => {}, listen: () => {} };
  const channel = new BroadcastChannel(CHANNEL);
  return {
    post: (message) => channel.postMessage(message),
    listen: (listener) => {
      channel.addEventListener('message', ({ data }: MessageEvent<OutboxMessage>) => listener(data));
    },
  };
}
