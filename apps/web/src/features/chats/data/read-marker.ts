import { isUnreachable } from '#web/shared/api/errors.ts';
import { backOffMs } from '#web/shared/lib/back-off.ts';
import { createListeners } from '#web/shared/lib/store.ts';
import { type ChatKey, keyOf } from './thread-store.ts';

/** Messages seen within this time are reported together. */
const BATCH_WINDOW_MS = 300;
/** The server's maximum per request. */
const MAX_BATCH = 100;
const BACK_OFF = { first_ms: 2_000, max_ms: 60_000 };

interface ReadMarkerDeps {
  /** POST mark-read: returns the server's unread count; throws ApiError. */
  send: (chat: ChatKey, message_ids: string[]) => Promise<number>;
  /** Returns a function that cancels the timer. */
  schedule: (delay_ms: number, run: () => void) => () => void;
}

interface PendingReads {
  chat: ChatKey;
  ids: Set<string>;
  onMarked: (unread_count: number) => void;
  failures: number;
  is_sending: boolean;
  cancel: () => void;
}

const NOTHING_SEEN: ReadonlySet<string> = new Set();
/**
 * Remembers which messages were seen in this tab, and reports them to the server in batches. Retries with back-off if
 * the server is unreachable; ids that the server refuses are not reported again.
 */
export function createReadMarker({ send, schedule }: ReadMarkerDeps) {
  const chats = new Map<string, PendingReads>();
  const seen = new Map<string, ReadonlySet<string>>();
  const { subscribe, notify } = createListeners();

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
      const unread_count = await send(pending.chat, batch);
      pending.failures = 0;
      pending.onMarked(unread_count);
    } catch (error) {
      if (isUnreachable(error)) {
        pending.failures += 1;
        retry_ms = backOffMs(BACK_OFF, pending.failures);
      }
    }
    pending.is_sending = false;
    if (chats.get(keyOf(pending.chat)) !== pending) return;
    // Ids that the server refused are not retried: the next list has the unread count.
    if (retry_ms === 0) for (const id of batch) pending.ids.delete(id);
    if (pending.ids.size > 0) scheduleFlush(pending, retry_ms);
  }

  return {
    /** Ids of the messages that were seen; the same set until it changes. */
    seenIn: (chat: ChatKey): ReadonlySet<string> => seen.get(keyOf(chat)) ?? NOTHING_SEEN,

    /** Calls the listener when messages were seen. Returns a function that unsubscribes. */
    subscribe,

    /** `onMarked` is called with the server's unread count when it knows of these messages. */
    enqueue(chat: ChatKey, message_ids: readonly string[], onMarked: PendingReads['onMarked']): void {
      const key = keyOf(chat);
      const pending = chats.get(key) ?? newPending(chat);
      pending.onMarked = onMarked;
      chats.set(key, pending);
      const is_first = pending.ids.size === 0;
      for (const id of message_ids) pending.ids.add(id);
      if (is_first && message_ids.length > 0) scheduleFlush(pending, BATCH_WINDOW_MS);
      seen.set(key, new Set([...(seen.get(key) ?? []), ...message_ids]));
      notify();
    },

    /** Retries at once, as the device may be online again. */
    retry(): void {
      for (const pending of chats.values()) if (pending.failures > 0) void flush(pending);
    },

    /** Forgets everything: a user has signed out. */
    clear(): void {
      for (const pending of chats.values()) pending.cancel();
      chats.clear();
      seen.clear();
    },
  };
}

function newPending(chat: ChatKey): PendingReads {
  return { chat, ids: new Set(), onMarked: () => {}, failures: 0, is_sending: false, cancel: () => {} };
}
