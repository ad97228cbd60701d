import type { Message } from '@sendlap/contract/chats.ts';
import { MESSAGE_PAGE_SIZE } from '@sendlap/domain/messages.ts';
import { redactErasedUser } from './erased-user.ts';

/** A chat's messages on this device. A function below that changes nothing returns the same object. */
export interface Thread {
  /** Oldest first; none is missing between the first and the last one. */
  messages: readonly Message[];
  /** Whether the server may have older messages. */
  has_older: boolean;
  /** Whether a sync has reached the newest message since the thread was last emptied. */
  was_synced: boolean;
  /** Increases when the thread is emptied, because the server removed messages: pages requested before are ignored. */
  generation: number;
  /** Whether the other user was erased: that user's texts are removed from every later page. */
  is_erased: boolean;
  /** Read receipts of messages that are not here yet, the latest last. */
  early_reads: readonly EarlyRead[];
  /** When the device last got data of this chat from the server, ms epoch; null: never. */
  updated_at: number | null;
}

interface EarlyRead {
  id: string;
  /** ISO 8601, UTC */
  read_at: string;
}

export const NO_MESSAGES: Thread = {
  messages: [],
  has_older: true,
  was_synced: false,
  generation: 0,
  is_erased: false,
  early_reads: [],
  updated_at: null,
};

/** A page of messages: the newest (`offset` 0), or the page next to a message, by its seq. */
export interface PageQuery {
  offset?: number;
  before?: number;
  after?: number;
  limit: number;
}

/** The server's answer. */
interface FetchedPage {
  query: PageQuery;
  messages: readonly Message[];
  /** The thread when the page was requested. */
  requested_by: Thread;
}

const NEWEST_PAGE: PageQuery = { offset: 0, limit: MESSAGE_PAGE_SIZE };
/**
 * Number of known messages that a sync fetches again, or more if older ones are unread: they may have been read since, or
 * the server may have lost them.
 */
const OVERLAP = MESSAGE_PAGE_SIZE;
const CATCH_UP_SIZE = 100;
/** Maximum number of catch-up pages; after a longer absence only the newest page is fetched. */
const CATCH_UP_PAGES = 3;
/** Number of messages that stay on the device of a chat that is closed. */
const MAX_OFFLINE_MESSAGES = 100;
/** More than are read while a page is on its way; those of messages that never come are dropped in the end. */
const MAX_EARLY_READS = 500;

/** Returns the query of a sync's next page; `page_number` counts from 0. */
export function nextPageQuery({ messages, has_older }: Thread, page_number: number): PageQuery {
  const first_seq = messages[0]?.seq ?? 0;
  const last_seq = messages.at(-1)?.seq ?? 0;
  const is_short = has_older && messages.length < MESSAGE_PAGE_SIZE;
  if (first_seq === 0 || is_short || page_number >= CATCH_UP_PAGES) return NEWEST_PAGE;
  const first_unread_seq = messages.find(({ read_at }) => read_at === null)?.seq ?? last_seq;
  const overlap_from = Math.max(last_seq - CATCH_UP_SIZE + 1, Math.min(last_seq - OVERLAP, first_unread_seq - 1));
  const after = page_number === 0 ? Math.max(first_seq - 1, overlap_from) : last_seq;
  return { after, limit: CATCH_UP_SIZE };
}

interface PageResult {
  thread: Thread;
  /** False: the sync must fetch the next page. */
  is_last: boolean;
}

/**
 * Adds a page of a sync. Removes messages that belong on the page but are not on it: the server has lost them (its
 * database was restored from a backup). Messages that arrived after the request stay. A page requested before the thread
 * was emptied is ignored.
 */
export function addPage(thread: Thread, fetched: FetchedPage): PageResult {
  if (thread.generation !== fetched.requested_by.generation) return { thread, is_last: false };
  const page = mergeMessages([], fetched.messages);
  return fetched.query.after === undefined ? addNewest(thread, fetched, page) : addCatchUp(thread, fetched, page);
}

/** Older messages stay if they connect to the newest page; otherwise messages between them would be missing. */
function addNewest(thread: Thread, { query, requested_by }: FetchedPage, page: readonly Message[]): PageResult {
  const is_full = page.length >= query.limit;
  const [first] = page;
  const isBeforePage = (message: Message) => first !== undefined && compareMessages(message, first) < 0;
  const before_page = thread.messages.filter(isBeforePage);
  const is_connected = is_full && connects(before_page, page, thread);
  const others = thread.messages.filter((message) => !isBeforePage(message));
  const kept = [...(is_connected ? before_page : []), ...confirmedOrNew(others, page, requested_by)];
  return trimAtGap(
    { ...thread, has_older: is_connected ? thread.has_older : is_full },
    mergeMessages(kept, page),
    true,
  );
}

/** Only a page that is not full says that there are no newer messages. */
function addCatchUp(thread: Thread, { query, requested_by }: FetchedPage, page: readonly Message[]): PageResult {
  const after = query.after ?? 0;
  const is_full = page.length >= query.limit;
  const last_seq = is_full ? (page.at(-1)?.seq ?? 0) : Number.POSITIVE_INFINITY;
  const overlap = requested_by.messages.find(({ seq }) => seq === after + 1);
  const has_other_history = overlap !== undefined && overlap.id !== page[0]?.id;
  const before_page = has_other_history ? [] : thread.messages.filter(({ seq }) => seq <= after);
  const on_page = thread.messages.filter(({ seq }) => seq > after && seq <= last_seq);
  const after_page = thread.messages.filter(({ seq }) => seq > last_seq);
  const kept = [...before_page, ...confirmedOrNew(on_page, page, requested_by), ...after_page];
  return trimAtGap(thread, mergeMessages(kept, page), !is_full && !has_other_history);
}

/** Of known messages that belong on a page, returns those that are on it or arrived after its request. */
function confirmedOrNew(messages: readonly Message[], page: readonly Message[], requested_by: Thread): Message[] {
  const page_ids = new Set(page.map(({ id }) => id));
  const requested_ids = new Set(requested_by.messages.map(({ id }) => id));
  return messages.filter(({ id }) => page_ids.has(id) || !requested_ids.has(id));
}

function connects(before_page: readonly Message[], page: readonly Message[], thread: Thread): boolean {
  const last_seq = before_page.at(-1)?.seq;
  if (last_seq === undefined) return false;
  const first_seq = page[0]?.seq ?? 0;
  if (first_seq > 0) return last_seq === first_seq - 1;
  // A server that does not number messages: only a message that was known before shows that none is missing between.
  return page.some(({ id }) => thread.messages.some((known) => known.id === id));
}

/** Cuts the messages off at the first gap: those behind it come with the next page. */
function trimAtGap(thread: Thread, messages: readonly Message[], is_last: boolean): PageResult {
  const gap = messages.findIndex(
    ({ seq }, index) => index > 0 && seq > 0 && seq !== (messages[index - 1]?.seq ?? 0) + 1,
  );
  const is_synced = is_last && gap < 0;
  const contiguous = gap < 0 ? messages : messages.slice(0, gap);
  const first_seq = contiguous[0]?.seq ?? 0;
  const has_older = first_seq > 0 ? first_seq > 1 : thread.has_older;
  const next = { ...thread, messages: contiguous, has_older, was_synced: thread.was_synced || is_synced };
  return { thread: withEarlyReads(next), is_last: is_synced };
}

function withMessages(thread: Thread, messages: readonly Message[]): Thread {
  return withEarlyReads({ ...thread, messages, has_older: thread.has_older && messages[0]?.seq !== 1 });
}

/** Applies the read receipts that arrived before their messages. */
function withEarlyReads(thread: Thread): Thread {
  if (thread.early_reads.length === 0) return thread;
  const read_at_by_id = new Map(thread.early_reads.map(({ id, read_at }) => [id, read_at]));
  const messages = thread.messages.map((message) => {
    const read_at = read_at_by_id.get(message.id);
    read_at_by_id.delete(message.id);
    return message.read_at === null && read_at !== undefined ? { ...message, read_at } : message;
  });
  return { ...thread, messages, early_reads: thread.early_reads.filter(({ id }) => read_at_by_id.has(id)) };
}

/** Adds the page before the oldest message, unless the thread begins elsewhere by now. */
export function addOlderPage(thread: Thread, { query, messages, requested_by }: FetchedPage): Thread {
  const is_outdated =
    thread.generation !== requested_by.generation || thread.messages[0]?.id !== requested_by.messages[0]?.id;
  if (is_outdated) return thread;
  const has_older = messages.length >= query.limit;
  return withMessages({ ...thread, has_older }, mergeMessages(thread.messages, messages));
}

/** Adds a message that the stream or a reply brought; null: messages between the known ones and this one are missing. */
export function addMessage(thread: Thread, message: Message): Thread | null {
  const { messages, was_synced } = thread;
  const { seq } = message;
  // An empty thread that was synced begins with the first message; otherwise it may begin anywhere.
  const last_seq = messages.at(-1)?.seq ?? (was_synced ? 0 : seq - 1);
  if (seq > 0 && seq > last_seq + 1) return null;
  // The server's history differs (its database was restored from a backup): the next sync fetches the rest.
  if (seq > 0 && messages.some((known) => known.seq === seq && known.id !== message.id))
    return restartFrom(thread, message);
  // An older message comes with its own page.
  if (seq > 0 && seq < (messages[0]?.seq ?? 0) - 1) return thread;
  const merged = mergeMessages(messages, [message]);
  const is_known = merged.length === messages.length && merged.every((each, index) => each === messages[index]);
  return is_known ? thread : withMessages(thread, merged);
}

/** Replaces the messages by this one, because those before it are missing or belong to another history. */
export function restartFrom(thread: Thread, message: Message): Thread {
  return withMessages({ ...thread, has_older: true, was_synced: false }, [message]);
}

/** By the chat's own counter; by time if a server does not count. */
function compareMessages(a: Message, b: Message): number {
  if (a.seq > 0 && b.seq > 0) return a.seq - b.seq;
  return a.created_at.localeCompare(b.created_at) || (a.id < b.id ? -1 : 1);
}

/**
 * Merges both lists without duplicates; `incoming` wins, but a read message stays read. A message that does not change
 * stays the same object.
 */
export function mergeMessages(existing: readonly Message[], incoming: readonly Message[]): Message[] {
  const last = existing.at(-1);
  const [first] = incoming;
  // The usual case: one more message at the end.
  if (incoming.length === 1 && first && last && last.seq > 0 && first.seq > last.seq) return [...existing, first];
  const keyOf = ({ id, seq }: Message) => (seq > 0 ? seq : id);
  const by_key = new Map(existing.map((message) => [keyOf(message), message]));
  const by_id = new Map(existing.map((message) => [message.id, message]));
  for (const message of incoming) {
    const same = by_id.get(message.id);
    // The server has begun to number messages.
    if (same && keyOf(same) !== keyOf(message)) by_key.delete(keyOf(same));
    const before = same ?? by_key.get(keyOf(message));
    const read_at = message.read_at ?? (before?.id === message.id ? before.read_at : null);
    const merged = { ...message, read_at };
    by_key.set(keyOf(message), before && isSame(before, merged) ? before : merged);
  }
  return [...by_key.values()].sort(compareMessages);
}

function isSame(one: Message, other: Message): boolean {
  return (Object.keys(other) as (keyof Message)[]).every((key) => one[key] === other[key]);
}

/** Marks messages as read; those that are not here yet, when they arrive. */
export function applyReadReceipt(thread: Thread, message_ids: readonly string[], read_at: string): Thread {
  const read_at_by_id = new Map([...thread.messages, ...thread.early_reads].map((each) => [each.id, each.read_at]));
  const new_ids = message_ids.filter((id) => (read_at_by_id.get(id) ?? null) === null);
  if (new_ids.length === 0) return thread;
  const early_reads = [...thread.early_reads, ...new_ids.map((id) => ({ id, read_at }))];
  const marked = withEarlyReads({ ...thread, early_reads });
  return { ...marked, early_reads: marked.early_reads.slice(-MAX_EARLY_READS) };
}

/** Empties the thread, so that pages requested before are ignored. */
export function resetThread({ generation, is_erased }: Thread): Thread {
  return { ...NO_MESSAGES, generation: generation + 1, is_erased };
}

/** Removes the texts of the other user, who was erased, now and from every later page. */
export function eraseOther(thread: Thread, my_id: string): Thread {
  const messages = redactErasedUser(thread.messages, my_id);
  return thread.is_erased && messages === thread.messages ? thread : { ...thread, messages, is_erased: true };
}

/** Whether a thread has more messages than a chat that is closed. */
export const isLong = ({ messages }: Thread) => messages.length > MAX_OFFLINE_MESSAGES;

/** Drops all but the newest 100 messages. */
export function keepNewest(thread: Thread): Thread {
  if (!isLong(thread)) return thread;
  return { ...thread, messages: thread.messages.slice(-MAX_OFFLINE_MESSAGES), has_older: true };
}
