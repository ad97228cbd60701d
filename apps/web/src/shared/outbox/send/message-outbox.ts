import type { Message } from '@sendlap/contract/chats.ts';
import type { NewMessage } from '../store/queued-message.ts';
import { createMessageSender, type MessageSenderDeps } from './message-sender.ts';

interface MessageOutboxDeps extends Omit<MessageSenderDeps, 'onSent'> {
  /** The server has accepted a message. */
  onSent: (message: Message) => void;
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
  onMessageSent(listener: (message: Message) => Promise<void>): () => void;
}

/** `notifySent`: another tab has sent a message. `flushMessages`: see `Runner`. */
export function createMessageOutbox(deps: MessageOutboxDeps): MessageOutbox & {
  notifySent: (message: Message) => void;
  flushMessages: () => Promise<boolean>;
} {
  const { store, refresh, scheduleBackgroundSync } = deps;
  const listeners = new Set<(message: Message) => Promise<void>>();
  const notifyListeners = async (message: Message) => {
    await Promise.all([...listeners].map((listener) => listener(message)));
  };
  const sender = createMessageSender({
    ...deps,
    async onSent(message) {
      deps.onSent(message);
      await notifyListeners(message);
    },
  });
  return {
    notifySent: (message) => void notifyListeners(message).catch(() => {}),
    flushMessages: sender.flush,
    async saveMessage(message) {
      await store.save(message);
      // The next screen renders from the snapshot, which must contain the message by then.
      await refresh();
      void sender.flushChat(message.chat_id);
      scheduleBackgroundSync();
    },
    async retryMessage(user_id, client_id, after_seq) {
      await store.retry(user_id, client_id, after_seq);
      void sender.flush();
      scheduleBackgroundSync();
    },
    discardMessage: store.discard,
    onMessageSent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
