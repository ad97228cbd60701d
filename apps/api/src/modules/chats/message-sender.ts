import type { ErrorCode } from '@sendlap/contract/errors.ts';
import { type Database, databaseErrorCode, isDatabaseUnavailable } from '#api/database/database.ts';
import type { PersistentEvent } from '#api/events/event-store.ts';
import type { Delivery, Events } from '#api/events/events.ts';
import { AppError } from '#api/platform/errors.ts';
import { createBatcher } from './batcher.ts';
import { LOCK_NOT_AVAILABLE } from './lock-chats.ts';
import { presentMessage } from './present.ts';
import { type NewMessage, type StoredRow, storeMessages } from './store-messages.ts';

const MAX_BATCH = 256;
const RETRY_AFTER_S = 1;
/** The wait of each message of a batch that waited in vain: those that nobody holds are stored at once. */
const ALONE_WAIT_MS = 10;
const UNIQUE_VIOLATION = '23505';

type StoredMessage = ReturnType<typeof presentMessage>;
type SendOutcome = SendResult | { refusal: AppError };

/** `is_replay`: it was stored before, and is returned as stored. */
export interface SendResult {
  message: StoredMessage;
  is_replay: boolean;
}

interface MessageSenderOptions {
  database: Database;
  events: Pick<Events, 'deliver' | 'wake'>;
  now: () => Date;
  /** How long a batch waits for a chat, or for the event stream of a participant, that another transaction holds. */
  max_wait_ms: number;
}

/**
 * Sends messages, concurrent ones in one batch. Throws `chat_not_found`, `chat_closed`, `idempotency_mismatch`, and
 * `unavailable` if another transaction holds the chat or if it is unknown whether the message was stored: the sender
 * repeats it with the same id.
 */
export function createMessageSender(options: MessageSenderOptions): (message: NewMessage) => Promise<SendResult> {
  const { database, events, now, max_wait_ms } = options;
  const storeAndNotify = async (messages: NewMessage[], wait_ms: number): Promise<SendOutcome[]> => {
    const store = () => storeMessages(database, messages, { now: now(), max_wait_ms: wait_ms });
    // A unique violation: another node stored a copy while this batch was on its way.
    const rows = await store().catch((error: unknown) => {
      if (databaseErrorCode(error) === UNIQUE_VIOLATION) return store();
      throw error;
    });
    const { outcomes, deliveries, replayed_to } = outcomesOf(messages, rows);
    if (deliveries.length > 0) events.deliver(deliveries);
    // The database's answer to the first try may have been lost, before anybody was notified.
    if (replayed_to.size > 0) events.wake([...replayed_to]);
    return outcomes;
  };
  const run = async (messages: NewMessage[]): Promise<SendOutcome[]> => {
    try {
      return await storeAndNotify(messages, max_wait_ms);
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      const refused: SendOutcome[] = [{ refusal: chatBusy(error) }];
      if (messages.length === 1) return refused;
      const outcomes: SendOutcome[] = [];
      for (const message of messages) {
        const own = storeAndNotify([message], ALONE_WAIT_MS).catch((own_error: unknown) => {
          if (isLockTimeout(own_error)) return refused;
          throw own_error;
        });
        outcomes.push(...(await own));
      }
      return outcomes;
    }
  };
  // One batch at a time: two would be half as large and cost more per message.
  const batcher = createBatcher<NewMessage, SendOutcome>({
    run,
    keyOf: ({ id }) => id,
    isSame: (one, other) =>
      one.chat_id === other.chat_id && one.sender_id === other.sender_id && one.text === other.text,
    failsForAll: (error) => isDatabaseUnavailable(error) && !isLockTimeout(error),
    max_items: MAX_BATCH,
  });
  return async (message) => {
    const { outcome, is_duplicate } = batcher.add(message);
    const sent = await outcome;
    if ('refusal' in sent) throw sent.refusal;
    return is_duplicate ? { message: sent.message, is_replay: true } : sent;
  };
}

function isLockTimeout(error: unknown): boolean {
  return databaseErrorCode(error) === LOCK_NOT_AVAILABLE;
}

function chatBusy(cause: unknown): AppError {
  return new AppError('unavailable', 'This chat is busy just now', { retry_after_s: RETRY_AFTER_S, cause });
}

function outcomesOf(messages: NewMessage[], rows: StoredRow[]) {
  const outcomes: SendOutcome[] = [];
  const events: PersistentEvent[] = [];
  const deliveries: Delivery[] = [];
  const replayed_to = new Set<string>();
  for (const row of rows) {
    const index = row.nth - 1;
    const sent = messages[index];
    if (!sent) continue;
    if (row.outcome !== 'stored' && row.outcome !== 'replay') {
      outcomes[index] = { refusal: refusalOf(row.outcome) };
      continue;
    }
    const known = events[index];
    const event = known ?? { type: 'message_created', message: presentMessage({ ...sent, ...row }) };
    if (event.type !== 'message_created') continue;
    events[index] = event;
    outcomes[index] = { message: event.message, is_replay: row.outcome === 'replay' };
    if (row.outcome === 'stored') deliveries.push({ user_id: row.user_id, seq: row.event_seq, event });
    else for (const user_id of [sent.sender_id, row.user_id]) replayed_to.add(user_id);
  }
  return { outcomes, deliveries, replayed_to };
}

const REFUSALS = {
  chat_not_found: 'Chat not found',
  chat_closed: 'You are no friends any more: this chat takes no messages',
  idempotency_mismatch: 'This id was used for another message',
} as const satisfies Partial<Record<ErrorCode, string>>;

function refusalOf(code: keyof typeof REFUSALS): AppError {
  return new AppError(code, REFUSALS[code]);
}
