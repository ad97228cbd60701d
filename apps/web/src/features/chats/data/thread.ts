import type { Message } from '@sendlap/contract/chats.ts';
import { MESSAGE_PAGE_SIZE } from '@sendlap/domain/messages.ts';
import { redactErasedUser } from './erased-user.ts';

/** A chat's messages on this device. The functions below return the same thread if nothing changes. */
export interface Thread {
  /** Oldest first; none is missing between the first and the last one. */
  messages: readonly Message[];
  /** Whether the server may have older messages. */
  has_older: boolean;
  /** Whether no newer message was missing when the server was last asked. */
  is_synced: boolean;
  /** Increases when the server reports that messages were removed: a page requested before is out of date. */
  generation: number;
  /** Whether the other user was erased: no text of that user is kept, whatever page brings it. */
  is_erased: boolean;
  /** Messages that were read before they came here, the latest last. */
  early_reads: readonly EarlyRead[];
  /** When the server last said something about these messages, ms epoch; null: never. */
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
  is_synced: false,
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
export interface FetchedPage {
  query: PageQuery;
  messages: readonly Message[];
  /** The thread when the page was requested. */
  requested_by: Thread;
}

const NEWEST_PAGE: PageQuery = { offset: 0, limit: MESSAGE_PAGE_SIZE };
/** A sync fetches so many known messages again: they may have been read since, or the server may have lost them. */
const OVERLAP = MESSAGE_PAGE_SIZE;
const CATCH_UP_SIZE = 100;
/** At most so many pages are caught up with; after a longer absence only the newest page is shown. */
const CATCH_UP_PAGES = 3;
/** How many of the newest messages of a chat are kept for reading without a network. */
const MAX_KEPT = 100;
const MAX_EARLY_READS = 100;

/** Returns the query of a sync's next page; `page_number` counts from 0. */
export function nextPageQuery({ messages, has_older }: Thread, page_number: number): PageQuery {
  const first_seq = messages[0]?.seq ?? 0;
  const last_seq = messages.at(-1)?.seq ?? 0;
  const is_short = has_older && messages.length < MESSAGE_PAGE_SIZE;
  if (first_seq === 0 || is_short || page_number >= CATCH_UP_PAGES) return NEWEST_PAGE;
  const after = page_number === 0 ? Math.max(first_seq - 1, last_seq - OVERLAP) : last_seq;
  return { after, limit: CATCH_UP_SIZE };
}

interface SyncStep {
  thread: Thread;
  /** Whether the sync has ended; otherwise the next page must be fetched. */
  is_last: boolean;
}

/**
 * Adds a page of a sync. Messages that the page should contain and does not are removed, unless they arrived after the
 * request: the server has lost them, as with an older copy of its database.
 */
export function addPage(thread: Thread, fetched: FetchedPage): SyncStep {
  if (thread.generation !== fetched.requested_by.generation) return { thread, is_last: false };
  const page = mergeMessages([], fetched.messages);
  return fetched.query.after === undefined ? addNewest(thread, fetched, page) : addCatchUp(thread, fetched, page);
}

/** Older messages stay if they connect to the newest page; otherwise messages between them would be missing. */
function addNewest(thread: Thread, { query, requested_by }: FetchedPage, page: readonly Message[]): SyncStep {
  const is_full = page.length >= query.limit;
  const [first] = page;
  const isBeforePage = (message: Message) => first !== undefined && compareMessages(message, first) < 0;
  const before_page = thread.messages.filter(isBeforePage);
  const is_connected = is_full && connects(before_page, page, thread);
  const others = thread.messages.filter((message) => !isBeforePage(message));
  const known = [...(is_connected ? before_page : []), ...confirmedOrNew(others, page, requested_by)];
  return endStep({ ...thread, has_older: is_connected ? thread.has_older : is_full }, mergeMessages(known, page), true);
}

/** Only a page that is not full says that there are no newer messages. */
function addCatchUp(thread: Thread, { query, requested_by }: FetchedPage, page: readonly Message[]): SyncStep {
  const after = query.after ?? 0;
  const is_full = page.length >= query.limit;
  const last_seq = is_full ? (page.at(-1)?.seq ?? 0) : Number.POSITIVE_INFINITY;
  const overlap = requested_by.messages.find(({ seq }) => seq === after + 1);
  const has_other_history = overlap !== undefined && overlap.id !== page[0]?.id;
  const before_page = has_other_history ? [] : thread.messages.filter(({ seq }) => seq <= after);
  const on_page = thread.messages.filter(({ seq }) => seq > after && seq <= last_seq);
  const after_page = thread.messages.filter(({ seq }) => seq > last_seq);
  const known = [...before_page, ...confirmedOrNew(on_page, page, requested_by), ...after_page];
  return endStep(thread, mergeMessages(known, page), !is_full && !has_other_history);
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

/** Cuts off what follows a gap: a message that arrived ahead of the sync comes with the next page. */
function endStep(thread: Thread, messages: readonly Message[], is_last: boolean): SyncStep {
  const gap = messages.findIndex(
    ({ seq }, index) => index > 0 && seq > 0 && seq !== (messages[index - 1]?.seq ?? 0) + 1,
  );
  const is_synced = is_last && gap < 0;
  const contiguous = gap < 0 ? messages : messages.slice(0, gap);
  const first_seq = contiguous[0]?.seq ?? 0;
  const has_older = first_seq > 0 ? first_seq > 1 : thread.has_older;
  const next = { ...thread, messages: contiguous, has_older, is_synced: thread.is_synced || is_synced };
  return { thread: withEarlyReads(next), is_last: is_synced };
}

function withMessages(thread: Thread, messages: readonly Message[]): Thread {
  return withEarlyReads({ ...thread, messages, has_older: thread.has_older && messages[0]?.seq !== 1 });
}

/** Marks messages that were read before they came. */
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
  const { messages, is_synced } = thread;
  const { seq } = message;
  const last_seq = messages.at(-1)?.seq ?? (is_synced ? 0 : seq - 1);
  if (seq > 0 && seq > last_seq + 1) return null;
  // The server has another history, as with an older copy of its database: its next sync brings the rest.
  if (seq > 0 && messages.some((known) => known.seq === seq && known.id !== message.id))
    return beginWith(thread, message);
  // An older message comes with its own page.
  if (seq > 0 && seq < (messages[0]?.seq ?? 0) - 1) return thread;
  const merged = mergeMessages(messages, [message]);
  const is_known = merged.length === messages.length && merged.every((each, index) => each === messages[index]);
  return is_known ? thread : withMessages(thread, merged);
}

/** Begins anew with a message: offline, the newest message says more than older ones without it. */
export function beginWith(thread: Thread, message: Message): Thread {
  return withMessages({ ...thread, has_older: true, is_synced: false }, [message]);
}

/** By the chat's own counter; by time if a server does not count. */
function compareMessages(a: Message, b: Message): number {
  if (a.seq > 0 && b.seq > 0) return a.seq - b.seq;
  return a.created_at.localeCompare(b.created_at) || (a.id < b.id ? -1 : 1);
}

/** Merges both lists without duplicates; `newer` wins, but a read message stays read. Known messages keep their identity. */
export function mergeMessages(known: readonly Message[], newer: readonly Message[]): Message[] {
  const last = known.at(-1);
  const [first] = newer;
  // The usual case: one more message at the end.
  if (newer.length === 1 && first && last && last.seq > 0 && first.seq > last.seq) return [...known, first];
  const keyOf = ({ id, seq }: Message) => (seq > 0 ? seq : id);
  const by_key = new Map(known.map((message) => [keyOf(message), message]));
  for (const message of newer) {
    const before = by_key.get(keyOf(message));
    const read_at = message.read_at ?? (before?.id === message.id ? before.read_at : null);
    const merged = { ...message, read_at };
    by_key.set(keyOf(message), before && isSame(before, merged) ? before : merged);
  }
  return [...by_key.values()].sort(compareMessages);
}

function isSame(one: Message, other: Message): boolean {
  return (Object.keys(other) as (keyof Message)[]).every((key) => one[key] === other[key]);
}

/** Marks messages as read, those that are still on their way as well. */
export function markAsRead(thread: Thread, message_ids: readonly string[], read_at: string): Thread {
  const known = new Map([...thread.messages, ...thread.early_reads].map((each) => [each.id, each.read_at]));
  const new_ids = message_ids.filter((id) => (known.get(id) ?? null) === null);
  if (new_ids.length === 0) return thread;
  const early_reads = [...thread.early_reads, ...new_ids.map((id) => ({ id, read_at }))];
  const marked = withEarlyReads({ ...thread, early_reads });
  return { ...marked, early_reads: marked.early_reads.slice(-MAX_EARLY_READS) };
}

/** The server reports that messages were removed. */
export function removeMessages({ generation, is_erased }: Thread): Thread {
  return { ...NO_MESSAGES, generation: generation + 1, is_erased };
}

/** The other user was erased: removes that user's texts, now and from any later page. */
export function eraseOther(thread: Thread, my_id: string): Thread {
  const messages = redactErasedUser(thread.messages, my_id);
  return thread.is_erased && messages === thread.messages ? thread : { ...thread, messages, is_erased: true };
}

/** Keeps the newest messages only. */
export function keepNewest(thread: Thread): Thread {
  if (thread.messages.length <= MAX_KEPT) return thread;
  return { ...thread, messages: thread.messages.slice(-MAX_KEPT), has_older: true };
}
