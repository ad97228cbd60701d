import type { Message } from '@sendlap/contract/chats.ts';
import { session } from '../api/client.ts';
import { openCache, toCached, withFallback } from '../local-db/database.ts';
import { tryWrite } from '../local-db/try-write.ts';

/** How many of each chat's newest messages are kept for reading without a network. */
const MAX_COPIES_PER_CHAT = 100;

const chatKeyRange = (user_id: string, chat_id: string) =>
  IDBKeyRange.bound([user_id, chat_id, 0], [user_id, chat_id, Number.POSITIVE_INFINITY]);

export interface MessageCopies {
  /** Oldest first, without gaps. */
  messages: Message[];
  /** When the newest message was fetched, ms epoch; null without messages. */
  cached_at: number | null;
}

/** Returns the newest messages of a chat, as this user last saw them on this device. */
export async function loadMessages(user_id: string, chat_id: string): Promise<MessageCopies> {
  return withFallback(
    openCache().then(async (database) => {
      const copies = await database.getAll('messages', chatKeyRange(user_id, chat_id));
      const gap = copies.findLastIndex(({ seq }, index) => index > 0 && copies[index - 1]?.seq !== seq - 1);
      const contiguous = copies.slice(Math.max(0, gap));
      return { messages: contiguous.map(({ value }) => value), cached_at: contiguous.at(-1)?.cached_at ?? null };
    }),
    { messages: [], cached_at: null },
  );
}

/** Copies messages that the server numbered; a no-op unless the user is still signed in. */
export async function saveMessages(user_id: string, messages: readonly Message[]): Promise<void> {
  const numbered = messages.filter(({ seq }) => seq > 0);
  if (numbered.length === 0) return;
  await tryWrite(['messages'], async (transaction) => {
    // Checked within the transaction: if the user signs out later, a later transaction deletes these copies.
    if (session.getState().user?.id !== user_id) return;
    const store = transaction.objectStore('messages');
    for (const message of numbered.slice(-MAX_COPIES_PER_CHAT)) {
      const { chat_id, seq } = message;
      const copy = await store.get([user_id, chat_id, seq]);
      // An answer may have been built before a message was read: a read message stays read.
      const read_at = message.read_at ?? copy?.value.read_at ?? null;
      await store.put({ ...toCached({ ...message, read_at }, Date.now()), user_id, chat_id, seq });
    }
    for (const chat_id of new Set(numbered.map((message) => message.chat_id))) {
      const keys = await store.getAllKeys(chatKeyRange(user_id, chat_id));
      for (const key of keys.slice(0, -MAX_COPIES_PER_CHAT)) await store.delete(key);
    }
  });
}

/** Deletes the copies of a chat that this user may no longer see. */
export async function deleteMessageCopies(user_id: string, chat_id: string): Promise<void> {
  await tryWrite(['messages'], (transaction) =>
    transaction.objectStore('messages').delete(chatKeyRange(user_id, chat_id)),
  );
}

/** Replaces the copies of these chats with the result of `clean`, or deletes them if the disk has no room. */
export async function cleanMessages(
  user_id: string,
  chat_ids: readonly string[],
  clean: (messages: Message[]) => Message[],
): Promise<void> {
  const change = (by: 'put' | 'delete') =>
    tryWrite(['messages'], async (transaction) => {
      const store = transaction.objectStore('messages');
      for (const chat_id of chat_ids)
        for (const copy of await store.getAll(chatKeyRange(user_id, chat_id))) {
          const [value] = clean([copy.value]);
          if (!value || value === copy.value) continue;
          if (by === 'put') await store.put({ ...copy, value });
          else await store.delete([user_id, chat_id, copy.seq]);
        }
    });
  if (!(await change('put'))) await change('delete');
}

/** Deletes the user's message copies of all chats except `chat_ids`. */
export async function deleteOtherMessageCopies(user_id: string, chat_ids: readonly string[]): Promise<void> {
  const kept_chat_ids = new Set(chat_ids);
  await tryWrite(['messages'], async (transaction) => {
    const store = transaction.objectStore('messages');
    for (const key of await store.getAllKeys(IDBKeyRange.bound([user_id], [user_id, []])))
      if (!kept_chat_ids.has(key[1])) await store.delete(key);
  });
}

/** Records in the copies which messages were read. */
export async function saveReadAt(
  user_id: string,
  chat_id: string,
  { message_ids, read_at }: { message_ids: readonly string[]; read_at: string },
): Promise<void> {
  const read = new Set(message_ids);
  await tryWrite(['messages'], async (transaction) => {
    const store = transaction.objectStore('messages');
    for (const copy of await store.getAll(chatKeyRange(user_id, chat_id)))
      if (read.has(copy.value.id)) await store.put({ ...copy, value: { ...copy.value, read_at } });
  });
}
