import { ApiError, isServerRefusal, isUnreachable } from '#web/shared/api/errors.ts';

/** Messages seen within this time are reported together. */
const BATCH_WINDOW_MS = 300;
/** The server's maximum per request. */
const MAX_BATCH = 100;
const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 60_000;

export interface ReadMarkerDeps {
  /** POST mark-read; throws ApiError. */
  send: (user_id: string, chat_id: string, message_ids: string[]) => Promise<void>;
  /** Returns a function that cancels the timer. */
  schedule: (delay_ms: number, run: () => void) => () => void;
}

interface PendingReads {
  user_id: string;
  chat_id: string;
  ids: Set<string>;
  failures: number;
  is_sending: boolean;
  cancel: () => void;
}

/** Reports seen messages to the server: batched, retried with back-off, and never lost while the page lives. */
export function createReadMarker({ send, schedule }: ReadMarkerDeps) {
  const chats = new Map<string, PendingReads>();

  function scheduleFlush(pending: PendingReads, delay_ms: number): void {
    pending.cancel();
    pending.cancel = schedule(delay_ms, () => void flush(pending));
  }

  async function flush(pending: PendingReads): Promise<void> {
    if (pending.is_sending || pending.ids.size === 0) return;
    const batch = [...pending.ids].slice(0, MAX_BATCH);
    pending.is_sending = true;
    let retry_ms = 0;
    try {
      await send(pending.user_id, pending.chat_id, batch);
      pending.failures = 0;
    } catch (error) {
      if (isUnreachable(error) || isGatewayError(error)) {
        pending.failures += 1;
        retry_ms = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (pending.failures - 1));
      }
    }
    pending.is_sending = false;
    // Ids that the server refused are not retried: the next list has the unread count.
    if (retry_ms === 0) for (const id of batch) pending.ids.delete(id);
    if (pending.ids.size > 0) scheduleFlush(pending, retry_ms);
  }

  return {
    enqueue(user_id: string, chat_id: string, message_ids: readonly string[]): void {
      const key = `${user_id} ${chat_id}`;
      const pending = chats.get(key) ?? newPending(user_id, chat_id);
      chats.set(key, pending);
      const is_first = pending.ids.size === 0;
      for (const id of message_ids) pending.ids.add(id);
      if (is_first && message_ids.length > 0) scheduleFlush(pending, BATCH_WINDOW_MS);
    },

    /** Retries at once, as the device may be online again. */
    retry(): void {
      for (const pending of chats.values()) if (pending.failures > 0) void flush(pending);
    },
  };
}

/** Whether a gateway, not our server, refused the request. */
function isGatewayError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'HTTP_ERROR' && !isServerRefusal(error);
}

function newPending(user_id: string, chat_id: string): PendingReads {
  return { user_id, chat_id, ids: new Set(), failures: 0, is_sending: false, cancel: () => {} };
}
