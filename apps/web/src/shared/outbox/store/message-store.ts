import type { IDBPObjectStore, StoreNames } from 'idb';
import type { OutboxDatabase, OutboxSchema } from './database.ts';
import { OutboxError } from './errors.ts';
import { makeRoom } from './room.ts';
import { bySeq, type NewMessage, type WaitingMessage } from './waiting-message.ts';

interface MessageStoreDeps {
  open: () => Promise<OutboxDatabase>;
  /** Wall clock of the device, ms epoch. */
  now: () => number;
  newId: () => string;
  /** Gives up what may be lost (map tiles) when the disk is full. */
  freeSpace: () => Promise<void>;
  onChange: () => void;
}

type Messages = IDBPObjectStore<OutboxSchema, StoreNames<OutboxSchema>[], 'messages', 'readwrite'>;

export type MessageStore = ReturnType<typeof createMessageStore>;

/** The waiting messages. Every write is on the disk before its promise resolves, or it rejects with OutboxError. */
export function createMessageStore({ open, now, newId, freeSpace, onChange }: MessageStoreDeps) {
  async function write(work: (messages: Messages) => Promise<unknown>): Promise<void> {
    await makeRoom({ open, freeSpace }, async (database) => {
      const stores: StoreNames<OutboxSchema>[] = ['messages'];
      const transaction = database.transaction(stores, 'readwrite', { durability: 'strict' });
      await Promise.all([work(transaction.objectStore('messages')), transaction.done]);
    });
    onChange();
  }

  /** Changes one message, unless it is gone. */
  const change = (client_id: string, changed: (message: WaitingMessage) => Partial<WaitingMessage>) =>
    write(async (messages) => {
      const message = await messages.get(client_id);
      if (message) await messages.put({ ...message, ...changed(message) });
    });

  async function listMessages(user_id: string): Promise<WaitingMessage[]> {
    return (await (await open()).getAllFromIndex('messages', 'user_id', user_id)).sort(bySeq);
  }

  return {
    /** Those of a user in the order in which they are sent, the refused ones among them. */
    listMessages,

    /** Writing the same message twice is writing it once. */
    save: (message: NewMessage) =>
      write(async (messages) => {
        if ((await messages.getKey(message.client_id)) !== undefined) return;
        const row = { ...message, created_at: now(), seq: await nextSeq(messages) };
        await messages.add({ ...row, attempts: 0, last_error: null, refused: null });
      }),

    /** The server has it, as `seq` of its chat. */
    settle: (client_id: string, seq: number) =>
      write(async (messages) => {
        const message = await messages.get(client_id);
        if (!message) return;
        await messages.delete(client_id);
        await tellNext(messages, message, seq);
      }).catch((error: unknown) => {
        // A full disk takes a deletion alone. What waits behind it goes out, wherever it stands if it is refused.
        if (!(error instanceof OutboxError) || error.code !== 'storage_full') throw error;
        return write((messages) => messages.delete(client_id));
      }),

    noteFailure: (client_id: string, last_error: string) =>
      change(client_id, ({ attempts }) => ({ attempts: attempts + 1, last_error })),

    refuse: (client_id: string, refused: NonNullable<WaitingMessage['refused']>) =>
      write(async (messages) => {
        const message = await messages.get(client_id);
        if (!message) return;
        await messages.put({ ...message, attempts: message.attempts + 1, refused });
        await tellNext(messages, message, message.after_seq);
      }),

    /** Queues a refused message again, after all others. An id that the server knows for another text is given up. */
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

    /** Gives up a refused message; one that waits may be on its way and stays. */
    discard: (user_id: string, client_id: string) =>
      write(async (messages) => {
        const message = await messages.get(client_id);
        if (message?.user_id === user_id && message.refused !== null) await messages.delete(client_id);
      }),
  };
}

/** Whatever becomes of the one that goes next, it was written after `seq`. */
async function tellNext(messages: Messages, { user_id, chat_id }: WaitingMessage, seq: WaitingMessage['after_seq']) {
  if (seq === undefined) return;
  const waiting = (await messages.index('user_id').getAll(user_id)).filter((m) => m.chat_id === chat_id && !m.refused);
  const next = waiting.sort(bySeq)[0];
  if (next && (next.after_seq ?? -1) < seq) await messages.put({ ...next, after_seq: seq });
}

/** Larger than any that waits, of whomever. */
async function nextSeq(messages: Messages): Promise<number> {
  const last = await messages.index('seq').openKeyCursor(null, 'prev');
  return (last?.key ?? 0) + 1;
}
