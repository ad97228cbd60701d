import { createListeners, type Listeners } from '#web/shared/lib/store.ts';
import { openTabChannel, type TabChannel } from '#web/shared/lib/tab-channel.ts';
import type { ChangeSource } from './query-keys.ts';
import { eraseOther, keepNewest, NO_MESSAGES, type Thread } from './thread.ts';
import { type ChatKey, isSignedIn, listStoredChatIds, loadThread, saveThread } from './thread-records.ts';

export type { ChatKey };

type Update = (thread: Thread) => Thread;

/** A thread that a screen of this tab has subscribed to; null until it is read. Stays after the last listener has left. */
interface SubscribedThread {
  thread: Thread | null;
  listeners: Listeners;
}

/**
 * The threads of this browser, each stored once, in IndexedDB: every change is one transaction, and the screens of all
 * tabs follow it. A thread that cannot be stored (no room, no database, a server that does not number messages) lives
 * in the memory of its tab until a later change can store it.
 */
export function createThreadStore(channel: TabChannel<ChatKey>) {
  const subscribed = new Map<string, SubscribedThread>();
  const in_memory = new Map<string, Thread>();
  const inOrder = createQueue();

  function publish(chat: ChatKey, thread: Thread): void {
    const entry = subscribed.get(keyOf(chat));
    if (!entry || entry.thread === thread) return;
    entry.thread = thread;
    entry.listeners.notify();
  }

  /** Returns the thread after all earlier changes of this tab. */
  const read = (chat: ChatKey): Promise<Thread> =>
    inOrder(keyOf(chat), async () => in_memory.get(keyOf(chat)) ?? (await loadThread(chat)));

  /** Changes a thread in one transaction. `update` must be pure: it may run twice. */
  const change = (chat: ChatKey, update: Update, source: ChangeSource = 'server'): Promise<Thread> =>
    inOrder(keyOf(chat), async () => {
      const key = keyOf(chat);
      const apply = (thread: Thread) => applyUpdate(thread, update, { source, user_id: chat.user_id });
      const unsaved = in_memory.get(key);
      const saved = await saveThread(chat, apply, unsaved);
      const before = saved?.before ?? unsaved ?? subscribed.get(key)?.thread;
      // Without a database, a chat that no screen has shown is fetched when it is opened.
      if (!before) return NO_MESSAGES;
      const after = saved?.after ?? apply(before);
      if (saved?.is_saved || !isSignedIn(chat)) in_memory.delete(key);
      else in_memory.set(key, after);
      if (after === before) return after;
      publish(chat, after);
      if (saved?.is_saved) channel.post(chat);
      return after;
    });

  channel.listen((chat) => {
    const entry = subscribed.get(keyOf(chat));
    if (entry?.listeners.isEmpty()) subscribed.delete(keyOf(chat));
    else if (entry) void read(chat).then((thread) => publish(chat, thread));
  });

  return {
    read,
    change,

    /** Returns a subscribed thread; null until it is read. */
    getSnapshot: (chat: ChatKey): Thread | null => subscribed.get(keyOf(chat))?.thread ?? null,

    /** Calls the listener after every change, in any tab. Returns a function that unsubscribes. */
    subscribe(chat: ChatKey, listener: () => void): () => void {
      const entry = subscribed.get(keyOf(chat)) ?? { thread: null, listeners: createListeners() };
      subscribed.set(keyOf(chat), entry);
      const unsubscribe = entry.listeners.subscribe(listener);
      if (entry.thread === null) void read(chat).then((thread) => publish(chat, thread));
      return () => {
        unsubscribe();
        if (entry.listeners.isEmpty()) void change(chat, keepNewest, 'device');
      };
    },

    /** Whether a screen of this tab shows the thread. */
    isShown: (chat: ChatKey): boolean => subscribed.get(keyOf(chat))?.listeners.isEmpty() === false,

    /** Returns the ids of the user's chats of which there are messages. */
    async listChatIds(user_id: string): Promise<string[]> {
      const kept = [...in_memory.keys()].map((key) => key.split(' ')).filter(([owner]) => owner === user_id);
      return [...new Set([...kept.map(([, chat_id = '']) => chat_id), ...(await listStoredChatIds(user_id))])];
    },

    /** Forgets what this tab knows: a user has signed out. */
    clear(): void {
      subscribed.clear();
      in_memory.clear();
    },
  };
}

export const threads = createThreadStore(openTabChannel('sendlap-threads'));

export const keyOf = ({ user_id, chat_id }: ChatKey) => `${user_id} ${chat_id}`;

function applyUpdate(before: Thread, update: Update, { source, user_id }: { source: ChangeSource; user_id: string }) {
  const after = update(before);
  if (after === before) return before;
  const redacted = after.is_erased ? eraseOther(after, user_id) : after;
  return source === 'server' ? { ...redacted, updated_at: Date.now() } : redacted;
}

/** Returns a function that runs the work of one key one after the other. */
function createQueue() {
  const last_work = new Map<string, Promise<unknown>>();
  return <Value>(key: string, work: () => Promise<Value>): Promise<Value> => {
    const result = (last_work.get(key) ?? Promise.resolve()).then(work);
    const settled = result.catch(() => {});
    last_work.set(key, settled);
    void settled.then(() => {
      if (last_work.get(key) === settled) last_work.delete(key);
    });
    return result;
  };
}
