import { eraseOther, keepNewest, NO_MESSAGES, type Thread } from './thread.ts';
import { type ChatKey, listStoredChatIds, loadThread, saveThread } from './thread-records.ts';

export type { ChatKey };

const CHANNEL = 'sendlap-threads';

/** A thread that a screen has asked for, as it is stored; null until it is read. */
interface ShownThread {
  thread: Thread | null;
  listeners: Set<() => void>;
}

/**
 * The threads of this browser, each stored once, in IndexedDB: every change is one transaction, and the screens of all
 * tabs follow it. A thread that cannot be stored (no room, no database, a server that does not number messages) lives
 * in the memory of its tab.
 */
export function createThreadStore(channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'> | null) {
  const shown = new Map<string, ShownThread>();
  const in_memory = new Map<string, Thread>();
  const inOrder = createQueue();

  function publish(chat: ChatKey, thread: Thread): void {
    const entry = shown.get(keyOf(chat));
    if (!entry || entry.thread === thread) return;
    entry.thread = thread;
    for (const listener of entry.listeners) listener();
  }

  /** Returns the thread. */
  const read = (chat: ChatKey): Promise<Thread> =>
    inOrder(keyOf(chat), async () => in_memory.get(keyOf(chat)) ?? (await loadThread(chat)));

  /** Changes a thread in one transaction; `change` may be called twice, and returns the same thread for no change. */
  const change = (chat: ChatKey, changeThread: (thread: Thread) => Thread): Promise<Thread> =>
    inOrder(keyOf(chat), async () => {
      const key = keyOf(chat);
      const apply = (thread: Thread) => applyChange(thread, changeThread, chat.user_id);
      const saved = in_memory.has(key) ? null : await saveThread(chat, apply);
      const before = saved?.before ?? in_memory.get(key) ?? shown.get(key)?.thread ?? NO_MESSAGES;
      const after = saved?.after ?? apply(before);
      if (!saved?.is_saved) in_memory.set(key, after);
      if (after === before) return after;
      publish(chat, after);
      if (saved?.is_saved) channel?.postMessage(chat);
      return after;
    });

  channel?.addEventListener('message', ({ data: chat }: MessageEvent<ChatKey>) => {
    const entry = shown.get(keyOf(chat));
    if (entry?.listeners.size === 0) shown.delete(keyOf(chat));
    else if (entry) void read(chat).then((thread) => publish(chat, thread));
  });

  return {
    read,
    change,

    /** Returns the thread that `subscribe` has read; null if it has not been read yet. */
    getSnapshot: (chat: ChatKey): Thread | null => shown.get(keyOf(chat))?.thread ?? null,

    /** Calls the listener after every change, in any tab. Returns a function that unsubscribes. */
    subscribe(chat: ChatKey, listener: () => void): () => void {
      const entry = shown.get(keyOf(chat)) ?? { thread: null, listeners: new Set() };
      shown.set(keyOf(chat), entry);
      entry.listeners.add(listener);
      if (entry.thread === null) void read(chat).then((thread) => publish(chat, thread));
      return () => {
        entry.listeners.delete(listener);
        if (entry.listeners.size === 0) void change(chat, keepNewest);
      };
    },

    /** Whether a screen of this tab shows the thread. */
    isShown: (chat: ChatKey): boolean => (shown.get(keyOf(chat))?.listeners.size ?? 0) > 0,

    /** Returns the ids of the user's chats of which there are messages. */
    async listChatIds(user_id: string): Promise<string[]> {
      const kept = [...in_memory.keys()].map((key) => key.split(' ')).filter(([owner]) => owner === user_id);
      return [...new Set([...kept.map(([, chat_id = '']) => chat_id), ...(await listStoredChatIds(user_id))])];
    },

    /** Forgets what this tab knows: a user has signed out. */
    clear(): void {
      shown.clear();
      in_memory.clear();
    },
  };
}

export const threads = createThreadStore(
  typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(CHANNEL),
);

const keyOf = ({ user_id, chat_id }: ChatKey) => `${user_id} ${chat_id}`;

function applyChange(before: Thread, change: (thread: Thread) => Thread, user_id: string): Thread {
  const after = change(before);
  if (after === before) return before;
  return { ...(after.is_erased ? eraseOther(after, user_id) : after), updated_at: Date.now() };
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
