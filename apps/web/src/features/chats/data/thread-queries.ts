import { type Chat, listMessages, type Message } from '@sendlap/contract/chats.ts';
import { MESSAGE_PAGE_SIZE } from '@sendlap/domain/messages.ts';
import { notifyManager, type Query, type QueryClient, queryOptions } from '@tanstack/react-query';
import { completeMessagesReply } from '#web/shared/api/chat-reply.ts';
import { call } from '#web/shared/api/client.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import {
  cleanMessages,
  forgetMessages,
  loadMessages,
  type MessageCopies,
  saveMessages,
} from '#web/shared/copies/messages.ts';
import { isWithErased, withoutErased } from './erased-person.ts';
import { loadChats } from './list-copy.ts';
import { type Source, STALE_MS, threadCopyKey, threadKey } from './query-keys.ts';
import { hasGap, knownUpTo, mergeMessages, NO_MESSAGES, type Thread } from './thread.ts';

/** At most so many pages are caught up with; after a longer absence only the newest page is shown. */
const CATCH_UP_PAGES = 3;
const CATCH_UP_SIZE = 100;

type Change = (thread: Thread) => Thread;

/** State of a chat's query besides its messages. */
interface Notes {
  /** For each fetch in flight, the live changes since it began: its response may be older than they are. */
  told: Set<Change[]>;
  /** How often the server reported changed messages; if it did, the next fetch keeps no older data. */
  changed: number;
  /** The value of `changed` up to which the messages were refetched. */
  read: number;
  /** Whether messages may still be missing after the fetch in flight. */
  is_due: boolean;
}

/** Keyed by the query, so that the notes are released with it. */
const notes = new WeakMap<object, Notes>();

function notesOf(query: object): Notes {
  const noted = notes.get(query) ?? { told: new Set(), changed: 0, read: 0, is_due: false };
  notes.set(query, noted);
  return noted;
}

/** Runs a fetch; `told` collects the live changes until it ends. */
async function listen<Value>(noted: Notes, read: (told: Change[]) => Promise<Value>): Promise<Value> {
  const told: Change[] = [];
  noted.told.add(told);
  try {
    return await read(told);
  } finally {
    noted.told.delete(told);
  }
}

interface ChatOfUser {
  user_id: string;
  chat_id: string;
}

function findQuery(queries: QueryClient, { user_id, chat_id }: ChatOfUser) {
  return queries.getQueryCache().find<Thread>({ queryKey: threadKey(user_id, chat_id), exact: true });
}

/** The messages of a chat as far as they are loaded, from the newest page on. */
export function getThreadQuery(user_id: string, chat_id: string) {
  return queryOptions({
    queryKey: threadKey(user_id, chat_id),
    async queryFn({ client, signal }): Promise<Thread> {
      // If the query was removed from the cache, the notes only live as long as this fetch.
      const noted = notesOf(findQuery(client, { user_id, chat_id }) ?? signal);
      let thread: Thread | null = null;
      while (!thread) {
        thread = await listen(noted, (told) => readThread(client, { user_id, chat_id, noted, told, signal }));
      }
      if (noted.is_due) setTimeout(() => completeThread(client, user_id, chat_id));
      noted.is_due = false;
      return thread;
    },
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

interface Reading extends ChatOfUser {
  noted: Notes;
  told: readonly Change[];
  signal: AbortSignal;
}

/** Returns null if the messages have changed since the request: the response may be stale. */
async function readThread(queries: QueryClient, { noted, told, signal, ...chat }: Reading): Promise<Thread | null> {
  const { user_id, chat_id } = chat;
  const { changed } = noted;
  const before = noted.read < changed ? NO_MESSAGES : getThread(queries, user_id, chat_id);
  const readPage: ReadPage = (query) => readMessages({ ...chat, query, signal });
  const { messages, has_older, is_whole } = await readNewest(before, readPage).catch((error: unknown) => {
    if (!signal.aborted && isGone(error)) {
      queries.setQueryData<Thread>(threadKey(user_id, chat_id), NO_MESSAGES);
      void forgetCopies(queries, user_id, chat_id);
    }
    throw error;
  });
  // Aborted by a newer fetch: this response may be older than that one's.
  signal.throwIfAborted();
  if (noted.changed !== changed) return null;
  noted.read = changed;
  const known = getThread(queries, user_id, chat_id);
  // Older known messages stay only if they connect to the new page, or messages between would be missing. Messages
  // newer than its start stay only if the response has them: the server may have lost the rest, as with an older copy
  // of its database.
  const from = messages[0]?.seq ?? 0;
  const said = new Set(messages.map(({ id }) => id));
  const kept = known.messages.filter(({ id, seq }) => said.has(id) || (is_whole && (seq === 0 || seq < from)));
  const thread: Thread = {
    messages: mergeMessages(kept, messages),
    has_older: is_whole && known.is_loaded ? known.has_older : has_older,
    is_loaded: true,
  };
  const heard = told.reduce((one, change) => change(one), thread);
  void saveMessages(
    user_id,
    heard.messages.filter(({ seq }) => seq >= from),
  );
  return heard;
}

/** Whether the server says that the chat does not exist for me. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.backend_error === 'chat_not_found';
}

/** Deletes this device's copies of a chat's messages, also from the cache. */
async function forgetCopies(queries: QueryClient, user_id: string, chat_id: string): Promise<void> {
  await forgetMessages(user_id, chat_id);
  await queries.invalidateQueries({ queryKey: threadCopyKey(user_id, chat_id) });
}

type PageQuery = { offset?: string; before?: string; after?: string; limit: string };
type ReadPage = (query: PageQuery) => Promise<Message[]>;

interface PageRequest extends ChatOfUser {
  query: PageQuery;
  signal?: AbortSignal;
}

async function readMessages({ user_id, chat_id, query, signal }: PageRequest): Promise<Message[]> {
  const prepare = completeMessagesReply({ chat_id });
  const options = { only_as: user_id, prepare, ...(signal ? { signal } : {}) };
  return call(listMessages, { params: { chat_id }, query }, options);
}

/**
 * Reads the newest page and the messages between it and the known ones; `is_whole`: no message is missing between them.
 */
async function readNewest(known: Thread, readPage: ReadPage) {
  const page = mergeMessages([], await readPage({ offset: '0', limit: String(MESSAGE_PAGE_SIZE) }));
  const has_older = page.length >= MESSAGE_PAGE_SIZE;
  let up_to = knownUpTo(known);
  const first = page[0]?.seq ?? 0;
  if (first === 0 && known.is_loaded) return { messages: page, has_older, is_whole: true };
  let between: Message[] = [];
  for (let pages = 0; up_to > 0 && up_to < first - 1 && pages < CATCH_UP_PAGES; pages += 1) {
    const more = await readPage({ after: String(up_to), limit: String(CATCH_UP_SIZE) });
    if (more.length === 0) break;
    between = mergeMessages(between, more);
    up_to = between.at(-1)?.seq ?? up_to;
  }
  const is_whole = !has_older || (up_to > 0 && up_to >= first - 1);
  return { messages: is_whole ? mergeMessages(between, page) : page, has_older, is_whole };
}

/** This device's copies of a chat in my list: available at once and offline. */
export function getThreadCopyQuery(user_id: string, chat_id: string) {
  return queryOptions({
    queryKey: threadCopyKey(user_id, chat_id),
    async queryFn(): Promise<MessageCopies> {
      const list = await loadChats(user_id);
      const chat = list?.chats.find(({ id }) => id === chat_id);
      if (!chat) return { messages: [], cached_at: null };
      const copies = await loadMessages(user_id, chat_id);
      // The app may have been closed before the copies were cleaned to match the list.
      return isWithErased(chat) ? { ...copies, messages: withoutErased(copies.messages, user_id) } : copies;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Every message adds a newer copy, so don't cache.
    gcTime: 0,
  });
}

/** Reads the page before the oldest known message. Throws ApiError. */
export async function readOlder(queries: QueryClient, user_id: string, chat_id: string): Promise<void> {
  const query = findQuery(queries, { user_id, chat_id });
  const thread = query?.state.data;
  if (!query || !thread?.is_loaded || !thread.has_older) return;
  const noted = notesOf(query);
  const { changed } = noted;
  const first = thread.messages[0]?.seq ?? 0;
  const from = first > 0 ? { before: String(first) } : { offset: String(thread.messages.length) };
  await listen(noted, async (told) => {
    const page = await readMessages({ user_id, chat_id, query: { ...from, limit: String(MESSAGE_PAGE_SIZE) } });
    // The page may be from before the change.
    if (findQuery(queries, { user_id, chat_id }) !== query || noted.changed !== changed) return;
    const known = query.state.data ?? NO_MESSAGES;
    // The thread was replaced by a newer page in the meantime: messages between that page and this one would be
    // missing.
    if (known.messages[0]?.id !== thread.messages[0]?.id) return;
    const messages = mergeMessages(known.messages, page);
    const longer: Thread = { ...known, messages, has_older: page.length >= MESSAGE_PAGE_SIZE };
    const heard = told.reduce((one, change) => change(one), longer);
    putThread(queries, query, heard, query.state.dataUpdatedAt);
  });
}

/** Changes the messages of a chat that is or was on the screen; other chats have no cached messages to update. */
export function changeThread(
  queries: QueryClient,
  chat: ChatOfUser,
  change: Change,
  source: Source = 'server',
): Thread | null {
  const query = findQuery(queries, chat);
  if (!query) return null;
  for (const told of notesOf(query).told) told.push(change);
  const known = query.state.data ?? NO_MESSAGES;
  const changed = change(known);
  // A no-op must not count as a server response: a chat that could not be fetched must still be fetched.
  const updatedAt = source === 'server' ? Date.now() : query.state.dataUpdatedAt;
  if (changed !== known) putThread(queries, query, changed, updatedAt);
  return changed;
}

function putThread(queries: QueryClient, query: Query<Thread>, thread: Thread, updatedAt: number): void {
  const { status, error, isInvalidated, dataUpdatedAt } = query.state;
  const is_failed = status === 'error';
  notifyManager.batch(() => {
    queries.setQueryData<Thread>(query.queryKey, thread, { updatedAt: is_failed ? dataUpdatedAt : updatedAt });
    // If the newest page could not be fetched, this change does not replace that fetch: keep the error.
    if (is_failed) query.setState({ status, error, isInvalidated });
  });
}

export function getThread(queries: QueryClient, user_id: string, chat_id: string): Thread {
  return queries.getQueryData<Thread>(threadKey(user_id, chat_id)) ?? NO_MESSAGES;
}

/**
 * Fetches missing messages of a chat: a gap between its messages, or its newest page after a failed fetch. Waits for a
 * fetch in flight: if every message restarted that fetch, it might never finish.
 */
export function completeThread(queries: QueryClient, user_id: string, chat_id: string): void {
  const query = findQuery(queries, { user_id, chat_id });
  const thread = query?.state.data ?? NO_MESSAGES;
  if (!query || (thread.is_loaded && !hasGap(thread) && !isBehind(query))) return;
  if (query.state.fetchStatus === 'fetching') notesOf(query).is_due = true;
  else void queries.invalidateQueries({ queryKey: query.queryKey });
}

/** Whether a chat's messages may have changed since they were fetched, whatever live events came since. */
export function isBehind(query: object): boolean {
  const { read, changed } = notesOf(query);
  return read < changed;
}

/** Discards the messages of a chat: on the screen once they are refetched, elsewhere at once. */
export function rereadThread(queries: QueryClient, user_id: string, chat_id: string): void {
  const queryKey = threadKey(user_id, chat_id);
  const query = findQuery(queries, { user_id, chat_id });
  if (query) notesOf(query).changed += 1;
  void forgetCopies(queries, user_id, chat_id);
  queries.removeQueries({ queryKey, type: 'inactive' });
  void queries.invalidateQueries({ queryKey });
}

/**
 * Removes the texts of erased users from all chats that my list marks as such, in the cache and on this device, without
 * a request. Idempotent.
 */
export function forgetErasedWords(queries: QueryClient, user_id: string, chats: readonly Chat[]): void {
  const chat_ids = chats.filter(isWithErased).map(({ id }) => id);
  if (chat_ids.length === 0) return;
  for (const chat_id of chat_ids) {
    const query = findQuery(queries, { user_id, chat_id });
    if (!query) continue;
    const known = query.state.data ?? NO_MESSAGES;
    const cleaned = changeThread(queries, { user_id, chat_id }, (thread) => cleanThread(thread, user_id), 'device');
    // This change was not a server response, so refetch. A response in flight is cleaned as well.
    const is_coming = query.state.fetchStatus === 'fetching';
    if (cleaned !== known && !is_coming) void queries.invalidateQueries({ queryKey: query.queryKey });
  }
  void cleanMessages(user_id, chat_ids, (messages) => withoutErased(messages, user_id)).then(() => {
    for (const chat_id of chat_ids) void queries.invalidateQueries({ queryKey: threadCopyKey(user_id, chat_id) });
  });
}

function cleanThread(thread: Thread, user_id: string): Thread {
  const messages = withoutErased(thread.messages, user_id);
  return messages === thread.messages ? thread : { ...thread, messages };
}
