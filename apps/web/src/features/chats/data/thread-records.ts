import type { Message } from '@sendlap/contract/chats.ts';
import type { IDBPTransaction } from 'idb';
import { session } from '#web/shared/api/client.ts';
import { openCache, toCached, withFallback } from '#web/shared/local-db/database.ts';
import type { CacheSchema } from '#web/shared/local-db/schema.ts';
import { tryWrite } from '#web/shared/local-db/try-write.ts';
import { NO_MESSAGES, type Thread } from './thread.ts';

export interface ChatKey {
  user_id: string;
  chat_id: string;
}

type Stores = ['messages', 'threads'];
type ReadTransaction = Pick<IDBPTransaction<CacheSchema, Stores, IDBTransactionMode>, 'objectStore'>;
type WriteTransaction = Pick<IDBPTransaction<CacheSchema, Stores, 'readwrite'>, 'objectStore'>;
type StoredMessages = ReadonlyMap<number, Message>;

/** If the database is not open after this time, chats are shown from memory. */
const OPEN_TIMEOUT_MS = 2_000;

/** Returns the stored thread; no messages if the database fails. */
export async function loadThread(chat: ChatKey): Promise<Thread> {
  if (!(await canOpenCache())) return NO_MESSAGES;
  const reading = openCache().then((database) => readThread(database.transaction(['messages', 'threads']), chat));
  const { thread } = await withFallback(reading, { thread: NO_MESSAGES });
  return thread;
}

/**
 * Changes the stored thread in one transaction, unless the user has signed out; `unsaved`: the thread of an earlier
 * change that could not be saved. `update` may run twice. `is_saved` is false if there is no room, or the server does not
 * number messages. Returns null without a database.
 */
export async function saveThread(
  chat: ChatKey,
  update: (thread: Thread) => Thread,
  unsaved: Thread | undefined,
): Promise<{ before: Thread; after: Thread; is_saved: boolean } | null> {
  if (!(await canOpenCache())) return null;
  let result: { before: Thread; after: Thread } | null = null;
  const is_saved = await tryWrite(['messages', 'threads'], async (transaction) => {
    const { thread, stored } = await readThread(transaction, chat);
    const before = unsaved ?? thread;
    const after = update(before);
    result = { before, after };
    if (after !== thread && isNumbered(after) && isSignedIn(chat)) await writeThread(transaction, chat, stored, after);
  });
  if (!result) return null;
  const { before, after } = result as { before: Thread; after: Thread };
  if (!is_saved) await deleteOutdated(chat, after);
  return { before, after, is_saved: is_saved && isNumbered(after) };
}

/** Returns the ids of the user's chats of which messages are stored. */
export async function listStoredChatIds(user_id: string): Promise<string[]> {
  if (!(await canOpenCache())) return [];
  const of_user = IDBKeyRange.bound([user_id], [user_id, []]);
  const reading = openCache().then((database) => database.getAllKeys('messages', of_user));
  const keys = await withFallback(reading, []);
  return [...new Set(keys.map(([, chat_id]) => chat_id))];
}

async function canOpenCache(): Promise<boolean> {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), OPEN_TIMEOUT_MS);
  const opening = openCache().then(
    () => true,
    () => false,
  );
  return Promise.race([opening, timeout.promise]).finally(() => clearTimeout(timer));
}

const isNumbered = ({ messages }: Thread) => messages.every(({ seq }) => seq > 0);

/** Checked within the transaction: if the user signs out later, a later transaction deletes the messages. */
export const isSignedIn = ({ user_id }: ChatKey) => session.getState().user?.id === user_id;

const messageKeys = ({ user_id, chat_id }: ChatKey) =>
  IDBKeyRange.bound([user_id, chat_id, 0], [user_id, chat_id, Number.POSITIVE_INFINITY]);

async function readThread(
  transaction: ReadTransaction,
  chat: ChatKey,
): Promise<{ thread: Thread; stored: StoredMessages }> {
  const copies = await transaction.objectStore('messages').getAll(messageKeys(chat));
  const record = await transaction.objectStore('threads').get([chat.user_id, chat.chat_id]);
  const stored = new Map(copies.map(({ seq, value }) => [seq, value]));
  // A full disk may have refused some.
  const gap = copies.findLastIndex(({ seq }, index) => index > 0 && copies[index - 1]?.seq !== seq - 1);
  const messages = copies.slice(Math.max(0, gap)).map(({ value }) => value);
  const thread: Thread = {
    messages,
    has_older: messages[0]?.seq !== 1,
    was_synced: record?.was_synced ?? false,
    generation: record?.generation ?? 0,
    is_erased: record?.is_erased ?? false,
    early_reads: record?.early_reads ?? [],
    updated_at: record?.updated_at ?? copies.at(-1)?.cached_at ?? null,
  };
  return { thread, stored };
}

/** Writes what differs from the stored messages. */
async function writeThread(
  transaction: WriteTransaction,
  { user_id, chat_id }: ChatKey,
  stored: StoredMessages,
  { messages, has_older: _, updated_at, ...record }: Thread,
): Promise<void> {
  const store = transaction.objectStore('messages');
  const kept = new Set(messages.map(({ seq }) => seq));
  for (const seq of stored.keys()) if (!kept.has(seq)) await store.delete([user_id, chat_id, seq]);
  const now = Date.now();
  for (const message of messages) {
    const { seq } = message;
    if (stored.get(seq) !== message) await store.put({ ...toCached(message, now), user_id, chat_id, seq });
  }
  await transaction.objectStore('threads').put({ user_id, chat_id, ...record, updated_at: updated_at ?? now });
}

/** After a failed write: a stored text that is no longer part of the thread must not stay, even on a full disk. */
async function deleteOutdated(chat: ChatKey, { messages }: Thread): Promise<void> {
  await tryWrite(['messages', 'threads'], async (transaction) => {
    const { stored } = await readThread(transaction, chat);
    const texts = new Map(messages.map(({ seq, message }) => [seq, message]));
    for (const [seq, { message }] of stored)
      if (texts.get(seq) !== message)
        await transaction.objectStore('messages').delete([chat.user_id, chat.chat_id, seq]);
  });
}
