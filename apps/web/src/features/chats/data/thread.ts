import type { Message } from '@sendlap/contract/chats.ts';

/** What this tab knows of a chat's messages. */
export interface Thread {
  /** Oldest first, each once. */
  messages: Message[];
  /** Whether the server may have older ones. */
  has_older: boolean;
  /** False while it holds only what was told live: the newest page is still to come. */
  is_loaded: boolean;
}

export const NO_MESSAGES: Thread = { messages: [], has_older: true, is_loaded: false };

/** By the chat's own counter; where a server does not count, by time. */
function byOrder(a: Message, b: Message): number {
  if (a.seq > 0 && b.seq > 0) return a.seq - b.seq;
  return a.created_at.localeCompare(b.created_at) || (a.id < b.id ? -1 : 1);
}

/** Both lists as one, each message once: as `newer` says it, but what was read stays read. */
export function mergeMessages(known: readonly Message[], newer: readonly Message[]): Message[] {
  const last = known.at(-1);
  const [first] = newer;
  // Most often one message more, at the end.
  if (newer.length === 1 && first && last && last.seq > 0 && first.seq > last.seq) return [...known, first];
  const by_id = new Map(known.map((message) => [message.id, message]));
  for (const message of newer) {
    const read_at = message.read_at ?? by_id.get(message.id)?.read_at ?? null;
    by_id.set(message.id, { ...message, read_at });
  }
  return [...by_id.values()].sort(byOrder);
}

/** The seq up to which none is missing, counted from the oldest known one; 0: nothing is known for certain. */
export function knownUpTo({ messages, is_loaded }: Thread): number {
  if (!is_loaded) return 0;
  const hole = messages.findIndex(({ seq }, index) => index > 0 && seq !== (messages[index - 1]?.seq ?? 0) + 1);
  return messages.at(hole < 0 ? -1 : hole - 1)?.seq ?? 0;
}

/** Puts a new message in. One from before the oldest page that was read is left to the page that it is on. */
export function addMessage(thread: Thread, message: Message): Thread {
  const [first] = thread.messages;
  const is_older =
    thread.is_loaded && thread.has_older && first !== undefined && message.seq > 0 && message.seq < first.seq;
  return is_older ? thread : { ...thread, messages: mergeMessages(thread.messages, [message]) };
}

/** Whether messages are missing between those that are known. */
export function hasGap(thread: Thread): boolean {
  const last = thread.messages.at(-1)?.seq ?? 0;
  return thread.is_loaded && last > 0 && knownUpTo(thread) < last;
}

/** Notes what was read; the same thread where that is known. */
export function noteRead(thread: Thread, message_ids: readonly string[], read_at: string): Thread {
  const read = new Set(message_ids);
  const isNews = ({ id, read_at: known }: Message) => known === null && read.has(id);
  if (!thread.messages.some(isNews)) return thread;
  return {
    ...thread,
    messages: thread.messages.map((message) => (isNews(message) ? { ...message, read_at } : message)),
  };
}

/** Those of `ids` that may still have to be marked: neither mine nor read, as far as is known. */
export function unreadAmong({ messages }: Thread, ids: readonly string[], my_id: string): string[] {
  const settled = new Set(
    messages.filter(({ read_at, sender_id }) => read_at !== null || sender_id === my_id).map(({ id }) => id),
  );
  return ids.filter((id) => !settled.has(id));
}
