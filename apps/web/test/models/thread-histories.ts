import type { Message } from '@sendlap/contract/chats.ts';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import fc from 'fast-check';
import { applyLiveEvent, applySentMessage } from '#web/features/chats/data/chat-live-events.ts';
import { fetchOlder, getSyncQuery } from '#web/features/chats/data/sync-thread.ts';
import { eraseOther, NO_MESSAGES, type Thread } from '#web/features/chats/data/thread.ts';
import { threads } from '#web/features/chats/data/thread-store.ts';
import { ApiError } from '#web/shared/api/errors.ts';
import type { StreamEvent } from '#web/shared/live/live.ts';
import { CHAT_ID, messageOf } from '../unit/fake-chat.ts';
import { EVE, NORA } from '../unit/fake-server.ts';

/** What happens to a chat: on its server, on the network and on the device. */
export type Action =
  | { type: 'write'; count: number }
  /** My message: its reply may overtake the stream. */
  | { type: 'send' }
  | { type: 'read'; nth: number; by_me: boolean }
  /** The stream brings its next events. */
  | { type: 'deliver'; count: number }
  /** The stream breaks off, and cannot resume where it was. */
  | { type: 'miss' }
  | { type: 'open' | 'close' | 'older' | 'reload' }
  /** The server answers the oldest request; the answer arrives later, or never. */
  | { type: 'answer' | 'arrive' | 'fail' }
  /** The server's database is replaced by an older copy, and written on. */
  | { type: 'restore'; lost: number }
  /** A block hides the chat; the next one lifts it. An erased user writes nothing more: the messages are mine then. */
  | { type: 'block' | 'erase' };

const count = fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.constantFrom(60, 160, 420));
const nth = fc.nat({ max: 200 });
const often: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constant('write' as const), count }),
  fc.record({ type: fc.constant('read' as const), nth, by_me: fc.boolean() }),
  fc.record({ type: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ type: fc.constantFrom('send', 'open', 'answer', 'arrive') }),
);
const seldom: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ type: fc.constantFrom('miss', 'close', 'older', 'reload', 'fail') }),
  fc.record({ type: fc.constantFrom('block', 'erase') }),
  fc.record({ type: fc.constant('restore' as const), lost: fc.integer({ min: 1, max: 30 }) }),
);

export const history: fc.Arbitrary<Action[]> = fc.array(
  fc.oneof({ weight: 5, arbitrary: often }, { weight: 1, arbitrary: seldom }),
  { minLength: 1, maxLength: 40 },
);

interface PendingRequest {
  query: Record<string, string>;
  /** Set when the server has answered. */
  page: Message[] | null;
  resolve: (page: Message[]) => void;
  reject: (error: unknown) => void;
}

const CHAT = { user_id: NORA.id, chat_id: CHAT_ID };
const READ_AT = '2026-11-21T12:00:00.000Z';
const notFound = () =>
  new ApiError({ code: 'HTTP_ERROR', status: 404, backend_error: 'chat_not_found', is_from_our_server: true });
const noNetwork = () => new ApiError({ code: 'NETWORK_ERROR', status: 0 });

/** The server's chat as a plain list, and a device that hears of it. */
export class ThreadWorld {
  #messages: Message[] = [];
  #is_erased = false;
  #is_blocked = false;
  /** Whether the server has an older database, of which no page has arrived yet. */
  #is_restored = false;
  /** Ids of messages that were read before a restore: the device may have missed it. */
  #unchecked_reads = new Set<string>();
  #written = 0;
  #stream: StreamEvent[] = [];
  #requests: PendingRequest[] = [];
  #closeChat: (() => void) | null = null;

  readonly #queries: QueryClient;
  readonly #settle: () => Promise<unknown>;

  /** `settle` waits until the device has done what it can do without the server. */
  constructor(queries: QueryClient, settle: () => Promise<unknown>) {
    this.#queries = queries;
    this.#settle = settle;
  }

  /** Queues a request for messages until the history answers it. */
  call = (query: Record<string, string>, signal?: AbortSignal): Promise<Message[]> =>
    new Promise((resolve, reject) => {
      const request: PendingRequest = { query, page: null, resolve, reject };
      this.#requests.push(request);
      signal?.addEventListener('abort', () => this.#takeRequest(request)?.reject(signal.reason));
    });

  async perform(action: Action): Promise<void> {
    this.#act(action);
    await this.#settle();
    await this.#expectWhole();
  }

  /** Opens the chat with a good network, and waits until nothing is on its way. */
  async finish(): Promise<Thread> {
    if (this.#is_blocked) this.#act({ type: 'block' });
    this.#act({ type: 'open' });
    for (let round = 0; round < 100; round += 1) {
      this.#act({ type: 'deliver', count: Number.POSITIVE_INFINITY });
      await this.#settle();
      if (this.#requests.length === 0) break;
      for (const request of [...this.#requests]) this.#answer(request);
      for (const request of [...this.#requests]) this.#arrive(request);
      await this.#settle();
    }
    const { queryKey } = getSyncQuery(NORA.id, CHAT_ID);
    const thread = await threads.read(CHAT);
    const has_failed = this.#queries.getQueryState(queryKey)?.status === 'error';
    if (!has_failed && thread.was_synced) return thread;
    // The stream is back, and the screen syncs a thread that was emptied.
    void this.#queries.invalidateQueries({ queryKey });
    await this.#settle();
    return this.finish();
  }

  close(): void {
    this.#closeChat?.();
    for (const request of [...this.#requests]) this.#takeRequest(request)?.reject(noNetwork());
    this.#queries.clear();
  }

  /** Returns how the device's thread differs from the server's list; empty: not at all. */
  differences({ messages, has_older, was_synced }: Thread): string[] {
    const first_seq = messages[0]?.seq ?? this.#messages.length + 1;
    const expected = this.#messages.slice(first_seq - 1);
    const found: string[] = [];
    if (!was_synced) found.push('not synced');
    if (messages.length === 0 && this.#messages.length > 0) found.push('nothing is known');
    if (has_older !== first_seq > 1 && messages.length > 0) found.push(`has_older is ${has_older} before ${first_seq}`);
    const shown = messages.map(({ id, seq, message }) => `${seq} ${id} ${message}`);
    const listed = expected.map(({ id, seq, message }) => `${seq} ${id} ${message}`);
    if (shown.join('\n') !== listed.join('\n')) found.push(`shows ${shown.join()} instead of ${listed.join()}`);
    // A sync fetches the newest messages again; receipts of older ones that the stream missed may be unknown.
    for (const [index, { id, read_at }] of messages.slice(-50).entries()) {
      const at_server = expected.slice(-50)[index]?.read_at;
      if (read_at !== at_server && !this.#unchecked_reads.has(id))
        found.push(`${id} is read ${read_at}, not ${at_server}`);
    }
    return found;
  }

  /** At no time may the device show a gap, a message twice, or an erased text that it knows to be erased. */
  async #expectWhole(): Promise<void> {
    const { messages, is_erased } = await threads.read(CHAT);
    for (const [index, message] of messages.entries()) {
      const before = messages[index - 1];
      if (before && message.seq !== before.seq + 1) throw new Error(`${message.seq} follows ${before.seq}`);
      if (is_erased && message.sender_id === EVE.id) throw new Error(`the text of ${message.id} is still there`);
    }
  }

  #act(action: Action): void {
    if (action.type === 'write') for (let nth = 0; nth < action.count; nth += 1) this.#write(EVE.id);
    else if (action.type === 'send') {
      const message = this.#write(NORA.id);
      if (!message) return;
      // The outbox sends it again if it cannot be stored.
      void applySentMessage(this.#queries, NORA.id, message).catch(() => {});
    } else if (action.type === 'read') this.#read(action.nth, action.by_me ? NORA.id : EVE.id);
    else if (action.type === 'deliver') for (const event of this.#stream.splice(0, action.count)) this.#deliver(event);
    // The app cannot know of messages that an older database lost and wrote again if neither event was delivered.
    else if (action.type === 'miss') this.#stream = [...(this.#is_restored ? this.#stream : []), { type: 'resync' }];
    else if (action.type === 'open') this.#open();
    else if (action.type === 'close') this.#closeChat = this.#closeChat?.() ?? null;
    else if (action.type === 'older') void fetchOlder(CHAT).catch(() => {});
    else if (action.type === 'reload') this.#reload();
    else if (action.type === 'answer') this.#answer(this.#requests.find(({ page }) => page === null));
    else if (action.type === 'arrive') this.#arrive(this.#requests.find(({ page }) => page !== null));
    else if (action.type === 'fail') this.#takeRequest(this.#requests[0])?.reject(noNetwork());
    else if (action.type === 'restore') this.#restore(action.lost);
    else if (action.type === 'block') this.#block();
    else this.#erase();
  }

  #deliver(event: StreamEvent): void {
    applyLiveEvent(this.#queries, NORA.id, event);
  }

  #write(sender_id: string): Message | null {
    if (this.#is_blocked) return null;
    this.#written += 1;
    const seq = this.#messages.length + 1;
    const id = messageOf(this.#written).id;
    const is_erased = this.#is_erased && sender_id === EVE.id;
    const message = messageOf(seq, {
      id,
      message: `text ${this.#written}`,
      sender_id: is_erased ? NORA.id : sender_id,
    });
    this.#messages = [...this.#messages, message];
    this.#stream.push({ type: 'message_created', message });
    return message;
  }

  #read(nth: number, reader_id: string): void {
    if (this.#is_blocked) return;
    const until = this.#messages[nth % Math.max(1, this.#messages.length)]?.seq ?? 0;
    const isRead = ({ seq, sender_id, read_at }: Message) =>
      seq <= until && seq > until - 20 && read_at === null && sender_id !== reader_id;
    const message_ids = this.#messages.filter(isRead).map(({ id }) => id);
    if (message_ids.length === 0) return;
    this.#messages = this.#messages.map((message) => (isRead(message) ? { ...message, read_at: READ_AT } : message));
    this.#stream.push({
      type: 'messages_read',
      chat_id: CHAT_ID,
      message_ids,
      read_at: READ_AT,
      reader_id,
      unread_count: 0,
    });
  }

  #open(): void {
    if (this.#closeChat) return;
    this.#applyErasure();
    const unsubscribe = threads.subscribe(CHAT, () => {});
    const unobserve = new QueryObserver(this.#queries, getSyncQuery(NORA.id, CHAT_ID)).subscribe(() => {});
    this.#closeChat = () => {
      unobserve();
      unsubscribe();
    };
  }

  /** The tab loses its requests and its memory, and the stream the events that were not delivered. */
  #reload(): void {
    const was_open = this.#closeChat !== null;
    this.#closeChat = this.#closeChat?.() ?? null;
    this.#queries.clear();
    for (const request of [...this.#requests]) this.#takeRequest(request)?.reject(noNetwork());
    threads.clear();
    this.#stream = [...(this.#is_restored ? this.#stream : []), { type: 'opened', resumed: false }];
    if (was_open) this.#open();
  }

  #restore(lost: number): void {
    for (const { id, read_at } of this.#messages) if (read_at !== null) this.#unchecked_reads.add(id);
    this.#is_restored = true;
    this.#messages = this.#messages.slice(0, -lost);
    this.#stream = [{ type: 'resync' }];
  }

  #block(): void {
    this.#is_blocked = !this.#is_blocked;
    this.#stream.push({ type: 'chat_changed', chat_id: CHAT_ID });
  }

  #erase(): void {
    this.#is_erased = true;
    this.#messages = eraseTexts(this.#messages);
    // The server erases its events, too.
    this.#stream = this.#stream.map((event) => {
      const [message] = event.type === 'message_created' ? eraseTexts([event.message]) : [];
      return message ? { type: 'message_created', message } : event;
    });
    this.#applyErasure();
  }

  #applyErasure(): void {
    if (this.#is_erased) void threads.change(CHAT, (thread) => eraseOther(thread, NORA.id));
  }

  #answer(request: PendingRequest | undefined): void {
    if (!request) return;
    if (this.#is_blocked) this.#takeRequest(request)?.reject(notFound());
    else request.page = pageOf(this.#messages, request.query);
  }

  #arrive(request: PendingRequest | undefined): void {
    if (!request?.page) return;
    this.#is_restored = false;
    this.#takeRequest(request)?.resolve(request.page);
  }

  #takeRequest(request: PendingRequest | undefined): PendingRequest | undefined {
    if (!request || !this.#requests.includes(request)) return undefined;
    this.#requests = this.#requests.filter((each) => each !== request);
    return request;
  }
}

const eraseTexts = (messages: readonly Message[]) => [...eraseOther({ ...NO_MESSAGES, messages }, NORA.id).messages];

function pageOf(messages: readonly Message[], { limit, before, after }: Record<string, string>): Message[] {
  if (after !== undefined) return messages.filter(({ seq }) => seq > Number(after)).slice(0, Number(limit));
  return messages.filter(({ seq }) => before === undefined || seq < Number(before)).slice(-Number(limit));
}
