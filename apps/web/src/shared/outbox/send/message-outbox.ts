import type { Message } from '@sendlap/contract/chats.ts';
import { singleFlight } from '#web/shared/api/single-flight.ts';
import type { NewMessage, QueuedMessage } from '../store/queued-message.ts';
import { createMessageSender, type MessageSenderDeps } from './message-sender.ts';

interface MessageOutboxDeps extends Omit<MessageSenderDeps, 'onSent'> {
  /** The server has accepted a message. */
  onSent: (message: Message) => void;
  /** The signed-in user, as far as this device knows. */
  shownUserId: () => string | null;
  /** Whether an op of the user waits. */
  isOpWaiting: (user_id: string) => Promise<boolean>;
  /** Reads the shown rows again. */
  refresh: () => Promise<void>;
  /** Asks the browser to wake the service worker when there is a network. */
  scheduleBackgroundSync: () => void;
}

/** The messages waiting on this device, as the app sees them. */
export interface MessageOutbox {
  /** Resolves when the message is on disk, then sends it when possible. Rejects with OutboxError: not saved. */
  saveMessage(message: NewMessage): Promise<void>;
  /** Sends a refused message again, at the end of its chat; `after_seq`: the newest message there, if known. */
  retryMessage(user_id: string, client_id: string, after_seq?: number): Promise<void>;
  /** Deletes a refused message. */
  discardMessage(user_id: string, client_id: string): Promise<void>;
  /**
   * Calls back, in every tab, with a message of this device that the server accepted. Its row is deleted once the
   * listeners of the sending tab have resolved; if one rejects, the message is sent again later, and stored once.
   */
  onMessageSent(listener: SentListener): () => void;
  /**
   * Deletes the waiting messages that their threads have: the page that sent them ended between the two writes.
   * `findStored`: looks in the thread on this device.
   */
  confirmStored(user_id: string, findStored: (message: QueuedMessage) => Promise<Message | undefined>): Promise<void>;
}

/** `is_kept`: the outbox shows the message as sent until the listener resolves, so it may reject without a network. */
export type SentListener = (message: Message, is_kept?: boolean) => Promise<void>;

/**
 * `notifySent`: another tab has sent a message. `adoptAccepted`: hands the listeners what the worker has sent while no
 * page was open; a message that they cannot store now stays. `flushMessages`: see `Runner`.
 */
export function createMessageOutbox(deps: MessageOutboxDeps): MessageOutbox & {
  notifySent: (message: Message) => void;
  adoptAccepted: () => Promise<void>;
  flushMessages: () => Promise<boolean>;
} {
  const { store, refresh, isOpWaiting, flushAll, scheduleBackgroundSync } = deps;
  const listeners = new Set<SentListener>();
  const notifyListeners = async (...args: Parameters<SentListener>) => {
    await Promise.all([...listeners].map((listener) => listener(...args)));
  };
  async function onSent(message: Message): Promise<void> {
    deps.onSent(message);
    await notifyListeners(message);
  }
  const sender = createMessageSender({ ...deps, onSent });
  const adoptAccepted = singleFlight(async () => {
    const user_id = deps.shownUserId();
    // Without a listener a message would leave the outbox unseen.
    if (user_id === null || listeners.size === 0) return;
    for (const { client_id, accepted } of await store.listAccepted(user_id)) {
      // If the chat cannot be synced now, the row stays until the next reason to send.
      if (accepted) await adopt(client_id, accepted).catch(() => {});
    }
  });
  async function adopt(client_id: string, accepted: Message): Promise<void> {
    await notifyListeners(accepted, true);
    deps.onSent(accepted);
    await store.confirmAdopted(client_id, accepted.seq);
  }
  /** Activities first; without one, no other chat has to be tried. */
  async function sendSaved({ user_id, chat_id }: NewMessage): Promise<void> {
    const is_op_waiting = await isOpWaiting(user_id).catch(() => true);
    await (is_op_waiting ? flushAll() : sender.flushChat(chat_id));
  }
  return {
    adoptAccepted,
    notifySent: (message) => void notifyListeners(message).catch(() => {}),
    flushMessages: sender.flush,
    async saveMessage(message) {
      await store.save(message);
      // The next screen renders from the snapshot, which must contain the message by then.
      await refresh();
      void sendSaved(message);
      scheduleBackgroundSync();
    },
    async retryMessage(user_id, client_id, after_seq) {
      await store.retry(user_id, client_id, after_seq);
      void flushAll();
      scheduleBackgroundSync();
    },
    discardMessage: store.discard,
    async confirmStored(user_id, findStored) {
      for (const message of await store.listMessages(user_id)) {
        const stored = await findStored(message);
        if (stored) await store.confirmStored(message.client_id, stored.seq);
      }
    },
    onMessageSent(listener) {
      listeners.add(listener);
      void adoptAccepted();
      return () => listeners.delete(listener);
    },
  };
}
