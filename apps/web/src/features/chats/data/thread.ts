import type { Message } from '@sendlap/contract/chats.ts';

/** A chat's messages as far as this tab has them. */
export interface Thread {
  /** Oldest first, without duplicates. */
  messages: Message[];
  /** Whether the server may have older messages. */
  has_older: boolean;
  /** False while it holds only live messages: the newest page is not loaded yet. */
  is_loaded: boolean;
}

export const NO_MESSAGES: Thread = { messages: [], has_older: true, is_loaded: false };

/** By the chat's own counter; by time if a server does not count. */
function compareMessages(a: Message, b: Message): number {
  if (a.seq > 0 && b.seq > 0) return a.seq - b.seq;
  return a.created_at.localeCompare(b.created_at) || (a.id < b.id ? -1 : 1);
}

/** Merges both lists without duplicates; `newer` wins, but a read message stays read. */
export function mergeMessages(cached: readonly Message[], newer: readonly Message[]): Message[] {
  const last = cached.at(-1);
  const [first] = newer;
  // The usual case: one more message at the end.
  if (newer.length === 1 && first && last && last.seq > 0 && first.seq > last.seq) return [...cached, first];
  const by_id = new Map(cached.map((message) => [message.id, message]));
  for (const message of newer) {
    const read_at = message.read_at ?? by_id.get(message.id)?.read_at ?? null;
    by_id.set(message.id, { ...message, read_at });
  }
  return [...by_id.values()].sort(compareMessages);
}

/** Returns the seq up to which no message is missing, from the oldest loaded one on; 0: nothing is certain. */
export function completeUpTo({ messages, is_loaded }: Thread): number {
  if (!is_loaded) return 0;
  const gap_index = messages.findIndex(({ seq }, index) => index > 0 && seq !== (messages[index - 1]?.seq ?? 0) + 1);
  return messages.at(gap_index < 0 ? -1 : gap_index - 1)?.seq ?? 0;
}

/** Adds a new message. A message older than the oldest loaded page is skipped: it comes with its own page. */
export function addMessage(thread: Thread, message: Message): Thread {
  const [first] = thread.messages;
  const is_older =
    thread.is_loaded && thread.has_older && first !== undefined && message.seq > 0 && message.seq < first.seq;
  return is_older ? thread : { ...thread, messages: mergeMessages(thread.messages, [message]) };
}

/** Whether messages are missing between the known ones. */
export function hasGap(thread: Thread): boolean {
  const last = thread.messages.at(-1)?.seq ?? 0;
  return thread.is_loaded && last > 0 && completeUpTo(thread) < last;
}

/** Marks messages as read; returns the same thread if they already are. */
export function withRead(thread: Thread, message_ids: readonly string[], read_at: string): Thread {
  const read = new Set(message_ids);
  const isNewlyRead = ({ id, read_at: previous_read_at }: Message) => previous_read_at === null && read.has(id);
  if (!thread.messages.some(isNewlyRead)) return thread;
  return {
    ...thread,
    messages: thread.messages.map((message) => (isNewlyRead(message) ? { ...message, read_at } : message)),
  };
}

/** Returns the `ids` that may still need marking: neither mine nor known to be read. */
export function filterUnread({ messages }: Thread, ids: readonly string[], my_id: string): string[] {
  const mine_or_read = new Set(
    messages.filter(({ read_at, sender_id }) => read_at !== null || sender_id === my_id).map(({ id }) => id),
  );
  return ids.filter((id) => !mine_or_read.has(id));
}
