import type { ErrorCode } from '@sendlap/contract/errors.ts';
import { LRUCache } from 'lru-cache';
import { type Database, databaseErrorCode, isDatabaseUnavailable } from '#api/database/database.ts';
import type { KeptType } from '#api/events/event-store.ts';
import type { Delivery, Events } from '#api/events/events.ts';
import { AppError } from '#api/platform/errors.ts';
import { createGrouping } from './grouping.ts';
import { LOCK_NOT_AVAILABLE } from './hold-chats.ts';
import { presentMessage } from './present.ts';
import { findDeliveries, type NewMessage, type StoredRow, storeMessages } from './store-messages.ts';

const MAX_GROUP = 256;
const RETRY_AFTER_S = 2;
const UNIQUE_VIOLATION = '23505';

type Stored = ReturnType<typeof presentMessage>;
type Outcome = Sent | { refusal: AppError };
/** Outcome of a message whose chat another transaction holds. */
const BUSY: Outcome = {
  refusal: new AppError('unavailable', 'This chat is busy just now', { retry_after_s: RETRY_AFTER_S }),
};

/** `is_replay`: it was stored before, and is returned as stored. */
export interface Sent {
  message: Stored;
  is_replay: boolean;
}

interface SendingOptions {
  database: Database;
  events: Pick<Events, 'deliver'>;
  now: () => Date;
  /** How long a message is retried while another call holds its chat or the event stream of a participant. */
  patience_ms: number;
}

/**
 * Sends messages, concurrent ones in one batch. Throws `chat_not_found`, `chat_closed`, `idempotency_mismatch`, and
 * `unavailable` if another transaction holds the chat for long.
 */
export function createSending(options: SendingOptions): (message: NewMessage) => Promise<Sent> {
  const { database, events, now, patience_ms } = options;
  const doubts = createDoubts(database, events);
  /** Until when (monotonic ms) contended streams are skipped, after one was held. */
  let careful_until_ms = 0;

  const storeOnce = async (messages: NewMessage[], store: { now: Date; is_careful: boolean }): Promise<Outcome[]> => {
    const rows = await storeMessages(database, messages, store).catch((error: unknown) => {
      if (isOutage(error)) doubts.add(messages, store.now);
      throw error;
    });
    const { outcomes, deliveries } = outcomesOf(messages, rows);
    if (deliveries.length > 0) events.deliver(deliveries);
    return outcomes;
  };
  const run = async (messages: NewMessage[]): Promise<Outcome[]> => {
    const store = { now: now(), is_careful: performance.now() < careful_until_ms };
    const outcomes = await storeOnce(messages, store)
      .catch((error: unknown) => {
        if (isHeld(error) && !store.is_careful) {
          store.is_careful = true;
          return storeOnce(messages, store);
        }
        // Another call stored a copy while this one was in flight.
        const is_copied = databaseErrorCode(error) === UNIQUE_VIOLATION;
        if (isOutage(error) || is_copied) return storeOnce(messages, store);
        throw error;
      })
      .catch((error: unknown) => {
        if (isHeld(error) && messages.length === 1) return [BUSY];
        throw error;
      });
    if (store.is_careful && outcomes.includes(BUSY)) careful_until_ms = performance.now() + patience_ms;
    const found = outcomes.flatMap((each) => ('message' in each && each.is_replay ? [each.message] : []));
    // The messages are stored, even if the notification fails now.
    await doubts.tell(found).catch(() => {});
    return outcomes;
  };
  // One group at a time: two would be half as large and cost more per message.
  const grouping = createGrouping<NewMessage, Outcome>({
    run,
    keyOf: ({ id }) => id,
    partOf: ({ chat_id }) => chat_id,
    isSame: (one, other) =>
      one.chat_id === other.chat_id && one.sender_id === other.sender_id && one.text === other.text,
    isBusy: (outcome) => outcome === BUSY,
    patience_ms,
    concernsAll: isOutage,
    max_items: MAX_GROUP,
  });
  return async (message) => {
    const { outcome, is_copy } = grouping.add(message);
    const sent = await outcome;
    if ('refusal' in sent) throw sent.refusal;
    return is_copy ? { message: sent.message, is_replay: true } : sent;
  };
}

/** A lock timeout is no outage. */
function isOutage(error: unknown): boolean {
  return isDatabaseUnavailable(error) && !isHeld(error);
}

function isHeld(error: unknown): boolean {
  return databaseErrorCode(error) === LOCK_NOT_AVAILABLE;
}

function outcomesOf(messages: NewMessage[], rows: StoredRow[]): { outcomes: Outcome[]; deliveries: Delivery[] } {
  const outcomes: Outcome[] = [];
  const events: KeptType[] = [];
  const deliveries: Delivery[] = [];
  for (const row of rows) {
    const index = row.nth - 1;
    const sent = messages[index];
    if (!sent) continue;
    if (row.outcome !== 'stored' && row.outcome !== 'replay') {
      outcomes[index] = row.outcome === 'chat_busy' ? BUSY : { refusal: refusalOf(row.outcome) };
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

const MAX_DOUBTS = 10_000;

/**
 * Messages whose commit is in doubt because the database's answer was lost: their participants were not notified
 * either. Keeps the newest 10,000.
 */
function createDoubts(database: Database, events: Pick<Events, 'deliver'>) {
  const since_by_id = new LRUCache<string, Date>({ max: MAX_DOUBTS });
  return {
    add(messages: { id: string }[], since: Date): void {
      for (const { id } of messages) if (!since_by_id.has(id)) since_by_id.set(id, since);
    },
    /** Notifies the participants of messages that turned out to be stored, and removes these from the doubts. */
    async tell(found: ReturnType<typeof presentMessage>[]): Promise<void> {
      if (since_by_id.size === 0) return;
      // A message stored before the doubt was announced at that time.
      const doubted = found.filter(({ id, created_at }) => {
        const since_ms = since_by_id.get(id)?.getTime();
        return since_ms !== undefined && Date.parse(created_at) >= since_ms;
      });
      const by_id = new Map(doubted.map((message) => [message.id, message]));
      const since = Math.min(...[...by_id.keys()].map((id) => since_by_id.get(id)?.getTime() ?? 0));
      const kept = by_id.size === 0 ? [] : await findDeliveries(database, [...by_id.keys()], new Date(since));
      for (const { id } of found) since_by_id.delete(id);
      const deliveries = kept.flatMap(({ message_id, user_id, seq }): Delivery[] => {
        const message = by_id.get(message_id);
        return message ? [{ user_id, seq, event: { type: 'message_created', message } }] : [];
      });
      if (deliveries.length > 0) events.deliver(deliveries);
    },
  };
}
