import type { ErrorCode } from '@sendlap/contract/errors.ts';
import { LRUCache } from 'lru-cache';
import { type Database, databaseErrorCode, isDatabaseUnavailable } from '#api/database/database.ts';
import type { PersistentEvent } from '#api/events/event-store.ts';
import type { Delivery, Events } from '#api/events/events.ts';
import { AppError } from '#api/platform/errors.ts';
import { createBatcher } from './batcher.ts';
import { LOCK_NOT_AVAILABLE } from './lock-chats.ts';
import { presentMessage } from './present.ts';
import { findDeliveries, type NewMessage, type StoredRow, storeMessages } from './store-messages.ts';

const MAX_BATCH = 256;
const RETRY_AFTER_S = 2;
const UNIQUE_VIOLATION = '23505';

type StoredMessage = ReturnType<typeof presentMessage>;
type SendOutcome = SendResult | { refusal: AppError };
/** Outcome of a message whose chat another transaction holds. */
const CHAT_BUSY: SendOutcome = {
  refusal: new AppError('unavailable', 'This chat is busy just now', { retry_after_s: RETRY_AFTER_S }),
};

/** `is_replay`: it was stored before, and is returned as stored. */
export interface SendResult {
  message: StoredMessage;
  is_replay: boolean;
}

interface MessageSenderOptions {
  database: Database;
  events: Pick<Events, 'deliver'>;
  now: () => Date;
  /** How long a message is retried while another call holds its chat or the event stream of a participant. */
  max_wait_ms: number;
}

/**
 * Sends messages, concurrent ones in one batch. Throws `chat_not_found`, `chat_closed`, `idempotency_mismatch`, and
 * `unavailable` if another transaction holds the chat for long.
 */
export function createMessageSender(options: MessageSenderOptions): (message: NewMessage) => Promise<SendResult> {
  const { database, events, now, max_wait_ms } = options;
  const uncertain_commits = createUncertainCommits(database, events);
  /** Until when (monotonic ms) contended streams are skipped, after one was held. */
  let contention_until_ms = 0;

  const storeAndDeliver = async (
    messages: NewMessage[],
    store_options: { now: Date; skip_contended_streams: boolean },
  ): Promise<SendOutcome[]> => {
    const rows = await storeMessages(database, messages, store_options).catch((error: unknown) => {
      if (isOutage(error)) uncertain_commits.add(messages, store_options.now);
      throw error;
    });
    const { outcomes, deliveries } = outcomesOf(messages, rows);
    if (deliveries.length > 0) events.deliver(deliveries);
    return outcomes;
  };
  const run = async (messages: NewMessage[]): Promise<SendOutcome[]> => {
    const store_options = { now: now(), skip_contended_streams: performance.now() < contention_until_ms };
    const outcomes = await storeAndDeliver(messages, store_options)
      .catch((error: unknown) => {
        if (isLockTimeout(error) && !store_options.skip_contended_streams) {
          store_options.skip_contended_streams = true;
          return storeAndDeliver(messages, store_options);
        }
        // Another call stored a copy while this one was in flight.
        const is_stored_elsewhere = databaseErrorCode(error) === UNIQUE_VIOLATION;
        if (isOutage(error) || is_stored_elsewhere) return storeAndDeliver(messages, store_options);
        throw error;
      })
      .catch((error: unknown) => {
        if (isLockTimeout(error) && messages.length === 1) return [CHAT_BUSY];
        throw error;
      });
    if (store_options.skip_contended_streams && outcomes.includes(CHAT_BUSY))
      contention_until_ms = performance.now() + max_wait_ms;
    const found = outcomes.flatMap((each) => ('message' in each && each.is_replay ? [each.message] : []));
    // The messages are stored, even if the notification fails now.
    await uncertain_commits.notifyIfStored(found).catch(() => {});
    return outcomes;
  };
  // One batch at a time: two would be half as large and cost more per message.
  const batcher = createBatcher<NewMessage, SendOutcome>({
    run,
    keyOf: ({ id }) => id,
    partitionOf: ({ chat_id }) => chat_id,
    isSame: (one, other) =>
      one.chat_id === other.chat_id && one.sender_id === other.sender_id && one.text === other.text,
    isBusy: (outcome) => outcome === CHAT_BUSY,
    max_wait_ms,
    failsForAll: isOutage,
    max_items: MAX_BATCH,
  });
  return async (message) => {
    const { outcome, is_duplicate } = batcher.add(message);
    const sent = await outcome;
    if ('refusal' in sent) throw sent.refusal;
    return is_duplicate ? { message: sent.message, is_replay: true } : sent;
  };
}

/** A lock timeout is no outage. */
function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !isLockTimeout(error);
}

function isLockTimeout(error: unknown): boolean {
  return databaseErrorCode(error) === LOCK_NOT_AVAILABLE;
}

function outcomesOf(messages: NewMessage[], rows: StoredRow[]): { outcomes: SendOutcome[]; deliveries: Delivery[] } {
  const outcomes: SendOutcome[] = [];
  const events: PersistentEvent[] = [];
  const deliveries: Delivery[] = [];
  for (const row of rows) {
    const index = row.nth - 1;
    const sent = messages[index];
    if (!sent) continue;
    if (row.outcome !== 'stored' && row.outcome !== 'replay') {
      outcomes[index] = row.outcome === 'chat_busy' ? CHAT_BUSY : { refusal: refusalOf(row.outcome) };
      continue;
    }
    const known = events[index];
    const event = known ?? { type: 'message_created', message: presentMessage({ ...sent, ...row }) };
    if (event.type !== 'message_created') continue;
    events[index] = event;
    outcomes[index] = { message: event.message, is_replay: row.outcome === 'replay' };
    if (row.outcome === 'stored') deliveries.push({ user_id: row.user_id, seq: row.event_seq, event });
  }
  return { outcomes, deliveries };
}

const REFUSALS = {
  chat_not_found: 'Chat not found',
  chat_closed: 'You are no friends any more: this chat takes no messages',
  idempotency_mismatch: 'This id was used for another message',
} as const satisfies Partial<Record<ErrorCode, string>>;

function refusalOf(code: keyof typeof REFUSALS): AppError {
  return new AppError(code, REFUSALS[code]);
}

const MAX_UNCERTAIN_COMMITS = 10_000;

/**
 * Messages whose commit is uncertain because the database's answer was lost: their participants were not notified
 * either. Keeps the newest 10,000.
 */
function createUncertainCommits(database: Database, events: Pick<Events, 'deliver'>) {
  const since_by_id = new LRUCache<string, Date>({ max: MAX_UNCERTAIN_COMMITS });
  return {
    add(messages: { id: string }[], since: Date): void {
      for (const { id } of messages) if (!since_by_id.has(id)) since_by_id.set(id, since);
    },
    /** Notifies the participants of messages that turned out to be stored, and removes these messages. */
    async notifyIfStored(found: ReturnType<typeof presentMessage>[]): Promise<void> {
      if (since_by_id.size === 0) return;
      // A message stored before its commit became uncertain was announced at that time.
      const uncertain = found.filter(({ id, created_at }) => {
        const since_ms = since_by_id.get(id)?.getTime();
        return since_ms !== undefined && Date.parse(created_at) >= since_ms;
      });
      const by_id = new Map(uncertain.map((message) => [message.id, message]));
      const since = Math.min(...[...by_id.keys()].map((id) => since_by_id.get(id)?.getTime() ?? 0));
      const stored_events = by_id.size === 0 ? [] : await findDeliveries(database, [...by_id.keys()], new Date(since));
      for (const { id } of found) since_by_id.delete(id);
      const deliveries = stored_events.flatMap(({ message_id, user_id, seq }): Delivery[] => {
        const message = by_id.get(message_id);
        return message ? [{ user_id, seq, event: { type: 'message_created', message } }] : [];
      });
      if (deliveries.length > 0) events.deliver(deliveries);
    },
  };
}
