import type { Message } from '@sendlap/contract/chats.ts';
import type { IDBPObjectStore, StoreNames } from 'idb';
import type { OutboxDatabase, OutboxSchema, OutboxTransaction } from './database.ts';
import { OutboxError } from './errors.ts';
import { bySeq, isAccepted, type NewMessage, type QueuedMessage } from './queued-message.ts';
import { keepSent } from './sent.ts';
import { writeWithEviction } from './write-with-eviction.ts';

interface MessageStoreDeps {
  open: () => Promise<OutboxDatabase>;
  /** Wall clock of the device, ms epoch. */
  now: () => number;
  newId: () => string;
  /** Deletes expendable data (map tiles) when the disk is full. */
  freeSpace: () => Promise<void>;
  onChange: () => void;
}

type Transaction = Pick<OutboxTransaction, 'objectStore'>;
type Messages = IDBPObjectStore<OutboxSchema, StoreNames<OutboxSchema>[], 'messages', 'readwrite'>;

export type MessageStore = ReturnType<typeof createMessageStore>;

/** The waiting messages. Every write is on disk before its promise resolves, or it rejects with OutboxError. */
export function createMessageStore({ open, now, newId, freeSpace, onChange }: MessageStoreDeps) {
  async function write(work: (messages: Messages, transaction: Transaction) => Promise<unknown>): Promise<void> {
    await writeWithEviction({ open, freeSpace }, async (database) => {
      const stores: StoreNames<OutboxSchema>[] = ['messages', 'sent', 'epoch'];
      const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
      await Promise.all([work(transaction.objectStore('messages'), transaction), transaction.done]);
    });
    onChange();
  }

  /** Changes one message, unless it was deleted. */
  const updateMessage = (client_id: string, getChanges: (message: QueuedMessage) => Partial<QueuedMessage>) =>
    write(async (messages) => {
      const message = await messages.get(client_id);
      if (message) await messages.put({ ...message, ...getChanges(message) });
    });

  const listAll = async (user_id: string): Promise<QueuedMessage[]> =>
    (await (await open()).getAllFromIndex('messages', 'user_id', user_id)).sort(bySeq);

  async function confirm(client_id: string, seq: number, isSent: (message: QueuedMessage) => boolean): Promise<void> {
    /** Returns the deleted message. */
    async function remove(messages: Messages): Promise<QueuedMessage | undefined> {
      const message = await messages.get(client_id);
      if (!message || !isSent(message)) return undefined;
      await messages.delete(client_id);
      return message;
    }
    await write(async (messages, transaction) => {
      const message = await remove(messages);
      if (!message) return;
      await advanceAfterSeq(messages, message, seq);
      await keepCopy(transaction, message, now());
      // A full disk still accepts the deletion alone. The messages behind it are sent as usual; they only lack the
      // `after_seq`, so if one is refused, its position in the chat may be wrong.
    }).catch(ignoreFullDisk(() => write(remove)));
  }

  return {
    /** A user's messages in sending order, including refused ones, without accepted ones. */
    listMessages: async (user_id: string) => (await listAll(user_id)).filter((message) => !isAccepted(message)),

    /** A user's messages that the worker has sent and no page has stored in their thread yet, in sending order. */
    listAccepted: async (user_id: string) => (await listAll(user_id)).filter(isAccepted),

    /** The worker has sent the message, and the server has stored it so. The row stays until `confirmSent`. */
    markAccepted: (client_id: string, accepted: Message) =>
      write((_messages, transaction) => markAccepted(transaction, client_id, accepted, now())).catch(
        ignoreFullDisk(() => write((_messages, transaction) => markAccepted(transaction, client_id, accepted, null))),
      ),

    /** Idempotent: saving a message twice has no further effect. */
    save: (message: NewMessage) =>
      write(async (messages) => {
        if ((await messages.getKey(message.client_id)) !== undefined) return;
        const row = { ...message, created_at: now(), seq: await nextSeq(messages) };
        await messages.add({ ...row, attempts: 0, last_error: null, refused: null });
      }),

    /** The server has stored the message as `seq` of its chat. */
    confirmSent: (client_id: string, seq: number) => confirm(client_id, seq, () => true),

    /**
     * A page has stored in its thread what the worker had sent. No change if the server was restored since: then it waits
     * again.
     */
    confirmAdopted: (client_id: string, seq: number) => confirm(client_id, seq, isAccepted),

    /** Its thread on this device has the message, as `seq`. No change if the server was restored since. */
    confirmStored: (client_id: string, seq: number) =>
      confirm(client_id, seq, ({ refused, is_in_doubt }) => refused === null && !is_in_doubt),

    recordFailure: (client_id: string, last_error: string) =>
      updateMessage(client_id, ({ attempts }) => ({ attempts: attempts + 1, last_error })),

    markRefused: (client_id: string, refused: NonNullable<QueuedMessage['refused']>) =>
      write(async (messages) => {
        const message = await messages.get(client_id);
        if (!message) return;
        await messages.put({ ...message, attempts: message.attempts + 1, refused });
        await advanceAfterSeq(messages, message, message.after_seq);
      }),

    /** Queues a refused message again, after all others; with a new id if the server has another text under the old. */
    retry: (user_id: string, client_id: string, after_seq?: number) =>
      write(async (messages) => {
        const message = await messages.get(client_id);
        if (message?.user_id !== user_id || message.refused === null) return;
        const id = message.refused.code === 'idempotency_mismatch' ? newId() : client_id;
        await messages.delete(client_id);
        const seen = after_seq ?? message.after_seq;
        const row = { ...message, client_id: id, after_seq: seen, seq: await nextSeq(messages) };
        await messages.add({ ...row, attempts: 0, last_error: null, refused: null });
      }),

    /** Deletes a refused message; a waiting one may be in flight and stays. */
    discard: (user_id: string, client_id: string) =>
      write(async (messages) => {
        const message = await messages.get(client_id);
        if (message?.user_id === user_id && message.refused !== null) await messages.delete(client_id);
      }),
  };
}

/** Keeps a copy of a message that the server has acknowledged. */
function keepCopy(
  transaction: Transaction,
  { accepted, is_in_doubt, ...sent }: QueuedMessage,
  sent_at: number,
): Promise<void> {
  const message = { ...sent, attempts: 0, last_error: null, refused: null };
  return keepSent(transaction, { id: sent.client_id, user_id: sent.user_id, sent_at, message });
}

/** `sent_at`: of the copy, kept now because the server may be restored before a page stores the message; null: none. */
async function markAccepted(
  transaction: Transaction,
  client_id: string,
  accepted: Message,
  sent_at: number | null,
): Promise<void> {
  const messages = transaction.objectStore('messages');
  const message = await messages.get(client_id);
  if (!message) return;
  const { is_in_doubt, ...known } = message;
  await messages.put({ ...known, accepted });
  await advanceAfterSeq(messages, message, accepted.seq);
  if (sent_at !== null) await keepCopy(transaction, message, sent_at);
}

/** Returns a handler that writes less if the disk is full, and rethrows all other errors. */
function ignoreFullDisk(writeLess: () => Promise<void>) {
  return (error: unknown): Promise<void> => {
    if (!(error instanceof OutboxError) || error.code !== 'storage_full') throw error;
    return writeLess();
  };
}

/** Advances `after_seq` of the next queued message: it was written after `seq`. */
async function advanceAfterSeq(
  messages: Messages,
  { user_id, chat_id }: QueuedMessage,
  seq: QueuedMessage['after_seq'],
) {
  if (seq === undefined) return;
  const waiting = (await messages.index('user_id').getAll(user_id)).filter(
    (other) => other.chat_id === chat_id && !other.refused && !isAccepted(other),
  );
  const next = waiting.sort(bySeq)[0];
  if (next && (next.after_seq ?? -1) < seq) await messages.put({ ...next, after_seq: seq });
}

/** Returns a number above those of all queued messages, of any user. */
async function nextSeq(messages: Messages): Promise<number> {
  const last = await messages.index('seq').openKeyCursor(null, 'prev');
  return (last?.key ?? 0) + 1;
}
