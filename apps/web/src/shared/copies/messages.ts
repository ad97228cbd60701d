import type { Message } from '@sendlap/contract/chats.ts';
import { session } from '../api/client.ts';
import { openCache, orElse, stamp } from '../local-db/database.ts';
import { keep } from '../local-db/keep.ts';

/** So many of each chat are kept for reading without a network, the newest. */
const KEPT_OF_A_CHAT = 100;

const ofChat = (user_id: string, chat_id: string) =>
  IDBKeyRange.bound([user_id, chat_id, 0], [user_id, chat_id, Number.POSITIVE_INFINITY]);

export interface MessageCopies {
  /** Oldest first, and none is missing between them. */
  messages: Message[];
  /** When the newest of them was fetched, ms epoch; null: there are none. */
  cached_at: number | null;
}

/** The newest messages of a chat, as this user last saw them on this device. */
export async function loadMessages(user_id: string, chat_id: string): Promise<MessageCopies> {
  return orElse(
    openCache().then(async (database) => {
      const copies = await database.getAll('messages', ofChat(user_id, chat_id));
      const gap = copies.findLastIndex(({ seq }, index) => index > 0 && copies[index - 1]?.seq !== seq - 1);
      const kept = copies.slice(Math.max(0, gap));
      return { messages: kept.map(({ value }) => value), cached_at: kept.at(-1)?.cached_at ?? null };
    }),
    { messages: [], cached_at: null },
  );
}

/** Keeps messages that the server numbered, for whoever is signed in and nobody else. */
export async function saveMessages(user_id: string, messages: readonly Message[]): Promise<void> {
  const numbered = messages.filter(({ seq }) => seq > 0);
  if (numbered.length === 0) return;
  await keep(['messages'], async (transaction) => {
    // Asked within the transaction: what is written before the user left is wiped by a later one.
    if (session.getState().user?.id !== user_id) return;
    const store = transaction.objectStore('messages');
    for (const message of numbered.slice(-KEPT_OF_A_CHAT)) {
      const { chat_id, seq } = message;
      const copy = await store.get([user_id, chat_id, seq]);
      // An answer of before the mark may come after it; what was read stays read.
      const read_at = message.read_at ?? copy?.value.read_at ?? null;
      await store.put({ ...stamp({ ...message, read_at }, Date.now()), user_id, chat_id, seq });
    }
    for (const chat_id of new Set(numbered.map((message) => message.chat_id))) {
      const keys = await store.getAllKeys(ofChat(user_id, chat_id));
      for (const key of keys.slice(0, -KEPT_OF_A_CHAT)) await store.delete(key);
    }
  });
}

/** Gives up the copies of a chat that is not this user's to see any more. */
export async function forgetMessages(user_id: string, chat_id: string): Promise<void> {
  await keep(['messages'], (transaction) => transaction.objectStore('messages').delete(ofChat(user_id, chat_id)));
}

/** Puts what `clean` makes of the copies of these chats in their place, or gives them up where the disk has no room for it. */
export async function cleanMessages(
  user_id: string,
  chat_ids: readonly string[],
  clean: (messages: Message[]) => Message[],
): Promise<void> {
  const change = (by: 'put' | 'delete') =>
    keep(['messages'], async (transaction) => {
      const store = transaction.objectStore('messages');
      for (const chat_id of chat_ids)
        for (const copy of await store.getAll(ofChat(user_id, chat_id))) {
          const [value] = clean([copy.value]);
          if (!value || value === copy.value) continue;
          if (by === 'put') await store.put({ ...copy, value });
          else await store.delete([user_id, chat_id, copy.seq]);
        }
    });
  if (!(await change('put'))) await change('delete');
}

/** Gives up the copies of all chats but these. */
export async function forgetOtherMessages(user_id: string, chat_ids: readonly string[]): Promise<void> {
  const stay = new Set(chat_ids);
  await keep(['messages'], async (transaction) => {
    const store = transaction.objectStore('messages');
    for (const key of await store.getAllKeys(IDBKeyRange.bound([user_id], [user_id, []])))
      if (!stay.has(key[1])) await store.delete(key);
  });
}

/** Notes what was read of the copies that are here. */
export async function saveReadAt(
  user_id: string,
  chat_id: string,
  { message_ids, read_at }: { message_ids: readonly string[]; read_at: string },
): Promise<void> {
  const read = new Set(message_ids);
  await keep(['messages'], async (transaction) => {
    const store = transaction.objectStore('messages');
    for (const copy of await store.getAll(ofChat(user_id, chat_id)))
      if (read.has(copy.value.id)) await store.put({ ...copy, value: { ...copy.value, read_at } });
  });
}
