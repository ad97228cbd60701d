import { type Chat, listMessages, type Message } from '@sendlap/contract/chats.ts';
import { MESSAGE_PAGE_SIZE } from '@sendlap/domain/messages.ts';
import { notifyManager, type Query, type QueryClient, queryOptions } from '@tanstack/react-query';
import { completeMessagesReply } from '#web/shared/api/chat-reply.ts';
import { call } from '#web/shared/api/client.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import {
  cleanMessages,
  deleteMessageCopies,
  loadMessages,
  type MessageCopies,
  saveMessages,
} from '#web/shared/copies/messages.ts';
import { isWithErasedUser, redactErasedUser } from './erased-user.ts';
import { loadChats } from './list-copy.ts';
import { type ChangeSource, STALE_MS, threadCopyKey, threadKey } from './query-keys.ts';
import { completeUpTo, hasGap, mergeMessages, NO_MESSAGES, type Thread } from './thread.ts';

/** At most so many pages are caught up with; after a longer absence only the newest page is shown. */
const CATCH_UP_PAGES = 3;
const CATCH_UP_SIZE = 100;

type ThreadChange = (thread: Thread) => Thread;

/** State of a chat's query besides its messages. */
interface FetchState {
  /** For each fetch in flight, the live changes since it began: its response may be older than they are. */
  in_flight: Set<ThreadChange[]>;
  /** How often the server reported changed messages; if it did, the next fetch keeps no older data. */
  change_count: number;
  /** The value of `change_count` up to which the messages were refetched. */
  fetched_count: number;
  /** Whether messages may still be missing after the fetch in flight. */
  needs_refetch: boolean;
}

/** Keyed by the query, so that the state is released with it. */
const states = new WeakMap<object, FetchState>();

function fetchStateOf(query: object): FetchState {
  const state = states.get(query) ?? { in_flight: new Set(), change_count: 0, fetched_count: 0, needs_refetch: false };
  states.set(query, state);
  return state;
}

/** Runs a fetch; `changes` collects the live changes until it ends. */
async function collectChanges<Value>(state: FetchState, fetch: (changes: ThreadChange[]) => Promise<Value>) {
  const changes: ThreadChange[] = [];
  state.in_flight.add(changes);
  try {
    return await fetch(changes);
  } finally {
    state.in_flight.delete(changes);
  }
}

interface ChatKey {
  user_id: string;
  chat_id: string;
}

function findQuery(queries: QueryClient, { user_id, chat_id }: ChatKey) {
  return queries.getQueryCache().find<Thread>({ queryKey: threadKey(user_id, chat_id), exact: true });
}

/** The messages of a chat as far as they are loaded, from the newest page on. */
export function getThreadQuery(user_id: string, chat_id: string) {
  return queryOptions({
    queryKey: threadKey(user_id, chat_id),
    async queryFn({ client, signal }): Promise<Thread> {
      // If the query was removed from the cache, the state only lives as long as this fetch.
      const state = fetchStateOf(findQuery(client, { user_id, chat_id }) ?? signal);
      let thread: Thread | null = null;
      while (!thread) {
        thread = await collectChanges(state, (changes) =>
          fetchThread(client, { user_id, chat_id, state, changes, signal }),
        );
      }
      if (state.needs_refetch) setTimeout(() => fetchMissingMessages(client, user_id, chat_id));
      state.needs_refetch = false;
      return thread;
    },
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

interface ThreadFetch extends ChatKey {
  state: FetchState;
  changes: readonly ThreadChange[];
  signal: AbortSignal;
}

/** Returns null if the messages have changed since the request: the response may be stale. */
async function fetchThread(
  queries: QueryClient,
  { state, changes, signal, ...chat }: ThreadFetch,
): Promise<Thread | null> {
  const { user_id, chat_id } = chat;
  const { change_count } = state;
  const cached_before = state.fetched_count < change_count ? NO_MESSAGES : getThread(queries, user_id, chat_id);
  const fetchPage: FetchPage = (query) => fetchMessages({ ...chat, query, signal });
  const { messages, has_older, is_complete } = await fetchNewest(cached_before, fetchPage).catch((error: unknown) => {
    if (!signal.aborted && isChatNotFound(error)) {
      queries.setQueryData<Thread>(threadKey(user_id, chat_id), NO_MESSAGES);
      void deleteCopies(queries, user_id, chat_id);
    }
    throw error;
  });
  // Aborted by a newer fetch: this response may be older than that one's.
  signal.throwIfAborted();
  if (state.change_count !== change_count) return null;
  state.fetched_count = change_count;
  const cached = getThread(queries, user_id, chat_id);
  // Older cached messages stay only if they connect to the new page, or messages between would be missing. Messages
  // newer than its start stay only if the response has them: the server may have lost the rest, as with an older copy
  // of its database.
  const from = messages[0]?.seq ?? 0;
  const fetched_ids = new Set(messages.map(({ id }) => id));
  const retained = cached.messages.filter(
    ({ id, seq }) => fetched_ids.has(id) || (is_complete && (seq === 0 || seq < from)),
  );
  const thread: Thread = {
    messages: mergeMessages(retained, messages),
    has_older: is_complete && cached.is_loaded ? cached.has_older : has_older,
    is_loaded: true,
  };
  const updated = changes.reduce((one, change) => change(one), thread);
  void saveMessages(
    user_id,
    updated.messages.filter(({ seq }) => seq >= from),
  );
  return updated;
}

/** Whether the server says that the chat does not exist for me. */
export function isChatNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.backend_error === 'chat_not_found';
}

/** Deletes this device's copies of a chat's messages, also from the cache. */
async function deleteCopies(queries: QueryClient, user_id: string, chat_id: string): Promise<void> {
  await deleteMessageCopies(user_id, chat_id);
  await queries.invalidateQueries({ queryKey: threadCopyKey(user_id, chat_id) });
}

type PageQuery = { offset?: string; before?: string; after?: string; limit: string };
type FetchPage = (query: PageQuery) => Promise<Message[]>;

interface PageRequest extends ChatKey {
  query: PageQuery;
  signal?: AbortSignal;
}

async function fetchMessages({ user_id, chat_id, query, signal }: PageRequest): Promise<Message[]> {
  const normalizeReply = completeMessagesReply({ chat_id });
  const options = { expected_user_id: user_id, normalizeReply, ...(signal ? { signal } : {}) };
  return call(listMessages, { params: { chat_id }, query }, options);
}

/**
 * Fetches the newest page and the messages between it and the cached ones; `is_complete`: no message is missing between
 * them.
 */
async function fetchNewest(cached: Thread, fetchPage: FetchPage) {
  const page = mergeMessages([], await fetchPage({ offset: '0', limit: String(MESSAGE_PAGE_SIZE) }));
  const has_older = page.length >= MESSAGE_PAGE_SIZE;
  let up_to = completeUpTo(cached);
  const first = page[0]?.seq ?? 0;
  if (first === 0 && cached.is_loaded) return { messages: page, has_older, is_complete: true };
  let missing: Message[] = [];
  for (let pages = 0; up_to > 0 && up_to < first - 1 && pages < CATCH_UP_PAGES; pages += 1) {
    const more = await fetchPage({ after: String(up_to), limit: String(CATCH_UP_SIZE) });
    if (more.length === 0) break;
    missing = mergeMessages(missing, more);
    up_to = missing.at(-1)?.seq ?? up_to;
  }
  const is_complete = !has_older || (up_to > 0 && up_to >= first - 1);
  return { messages: is_complete ? mergeMessages(missing, page) : page, has_older, is_complete };
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
      return isWithErasedUser(chat) ? { ...copies, messages: redactErasedUser(copies.messages, user_id) } : copies;
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Every message adds a newer copy, so don't cache.
    gcTime: 0,
  });
}

/** Fetches the page before the oldest cached message. Throws ApiError. */
export async function fetchOlder(queries: QueryClient, user_id: string, chat_id: string): Promise<void> {
  const query = findQuery(queries, { user_id, chat_id });
  const thread = query?.state.data;
  if (!query || !thread?.is_loaded || !thread.has_older) return;
  const state = fetchStateOf(query);
  const { change_count } = state;
  const first = thread.messages[0]?.seq ?? 0;
  const from = first > 0 ? { before: String(first) } : { offset: String(thread.messages.length) };
  await collectChanges(state, async (changes) => {
    const page = await fetchMessages({ user_id, chat_id, query: { ...from, limit: String(MESSAGE_PAGE_SIZE) } });
    // The page may be from before the change.
    if (findQuery(queries, { user_id, chat_id }) !== query || state.change_count !== change_count) return;
    const cached = query.state.data ?? NO_MESSAGES;
    // The thread was replaced by a newer page in the meantime: messages between that page and this one would be
    // missing.
    if (cached.messages[0]?.id !== thread.messages[0]?.id) return;
    const messages = mergeMessages(cached.messages, page);
    const extended: Thread = { ...cached, messages, has_older: page.length >= MESSAGE_PAGE_SIZE };
    const updated = changes.reduce((one, change) => change(one), extended);
    setThread(queries, query, updated, query.state.dataUpdatedAt);
  });
}

/** Changes the messages of a chat that is or was on the screen; other chats have no cached messages to update. */
export function changeThread(
  queries: QueryClient,
  chat: ChatKey,
  change: ThreadChange,
  source: ChangeSource = 'server',
): Thread | null {
  const query = findQuery(queries, chat);
  if (!query) return null;
  for (const changes of fetchStateOf(query).in_flight) changes.push(change);
  const cached = query.state.data ?? NO_MESSAGES;
  const updated = change(cached);
  // A no-op must not count as a server response: a chat that could not be fetched must still be fetched.
  const updatedAt = source === 'server' ? Date.now() : query.state.dataUpdatedAt;
  if (updated !== cached) setThread(queries, query, updated, updatedAt);
  return updated;
}

function setThread(queries: QueryClient, query: Query<Thread>, thread: Thread, updatedAt: number): void {
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
export function fetchMissingMessages(queries: QueryClient, user_id: string, chat_id: string): void {
  const query = findQuery(queries, { user_id, chat_id });
  const thread = query?.state.data ?? NO_MESSAGES;
  if (!query || (thread.is_loaded && !hasGap(thread) && !isThreadStale(query))) return;
  if (query.state.fetchStatus === 'fetching') fetchStateOf(query).needs_refetch = true;
  else void queries.invalidateQueries({ queryKey: query.queryKey });
}

/** Whether a chat's messages may have changed since they were fetched, whatever live events came since. */
export function isThreadStale(query: object): boolean {
  const { fetched_count, change_count } = fetchStateOf(query);
  return fetched_count < change_count;
}

/** Discards the messages of a chat: on the screen once they are refetched, elsewhere at once. */
export function discardThread(queries: QueryClient, user_id: string, chat_id: string): void {
  const queryKey = threadKey(user_id, chat_id);
  const query = findQuery(queries, { user_id, chat_id });
  if (query) fetchStateOf(query).change_count += 1;
  void deleteCopies(queries, user_id, chat_id);
  queries.removeQueries({ queryKey, type: 'inactive' });
  void queries.invalidateQueries({ queryKey });
}

/**
 * Removes the texts of erased users from all chats that my list marks as such, in the cache and on this device, without
 * a request. Idempotent.
 */
export function redactErasedThreads(queries: QueryClient, user_id: string, chats: readonly Chat[]): void {
  const chat_ids = chats.filter(isWithErasedUser).map(({ id }) => id);
  if (chat_ids.length === 0) return;
  for (const chat_id of chat_ids) {
    const query = findQuery(queries, { user_id, chat_id });
    if (!query) continue;
    const cached = query.state.data ?? NO_MESSAGES;
    const redacted = changeThread(queries, { user_id, chat_id }, (thread) => redactThread(thread, user_id), 'device');
    // This change was not a server response, so refetch. A response in flight is redacted as well.
    const is_fetching = query.state.fetchStatus === 'fetching';
    if (redacted !== cached && !is_fetching) void queries.invalidateQueries({ queryKey: query.queryKey });
  }
  void cleanMessages(user_id, chat_ids, (messages) => redactErasedUser(messages, user_id)).then(() => {
    for (const chat_id of chat_ids) void queries.invalidateQueries({ queryKey: threadCopyKey(user_id, chat_id) });
  });
}

function redactThread(thread: Thread, user_id: string): Thread {
  const messages = redactErasedUser(thread.messages, user_id);
  return messages === thread.messages ? thread : { ...thread, messages };
}
