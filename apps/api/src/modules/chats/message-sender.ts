import type { ErrorCode } from '@sendlap/contract/wire/errors.ts';
import { type Database, databaseErrorCode, isDatabaseUnavailable, UNIQUE_VIOLATION } from '#api/database/database.ts';
import type { PersistentEvent } from '#api/events/event-store.ts';
import type { Delivery, Events } from '#api/events/events.ts';
import { AppError } from '#api/platform/errors.ts';
import { createBatcher } from './batcher.ts';
import { LOCK_NOT_AVAILABLE } from './lock-chats.ts';
import { presentMessage } from './present.ts';
import { type NewMessage, type OutcomeRow, storeMessages } from './store-messages.ts';

const MAX_BATCH = 256;
const RETRY_AFTER_S = 1;
/** For messages that are stored one by one after their batch has timed out: only those with a locked chat fail. */
const SINGLE_LOCK_TIMEOUT_MS = 10;

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
  /** Of each lock that a batch waits for: the rows of its chats, the event streams of their participants. */
  lock_timeout_ms: number;
}

/**
 * Sends messages, concurrent ones in one batch. Throws `chat_not_found`, `chat_closed`, `idempotency_mismatch`, and
 * `unavailable` if the chat or a participant's stream stays locked. Rethrows database errors: the message may be stored,
 * so the sender repeats it with the same id.
 */
export function createMessageSender(options: MessageSenderOptions): (message: NewMessage) => Promise<SendResult> {
  const { database, events, now, lock_timeout_ms } = options;
  const storeAndNotify = async (messages: NewMessage[], timeout_ms: number): Promise<SendOutcome[]> => {
    const store = () => storeMessages(database, messages, { now: now(), lock_timeout_ms: timeout_ms });
    const rows = await store().catch((error: unknown) => {
      // Another node stored a copy while this batch was on its way.
      if (databaseErrorCode(error) === UNIQUE_VIOLATION) return store();
      throw error;
    });
    const { outcomes, deliveries, replayed_to } = outcomesOf(messages, rows);
    if (deliveries.length > 0) events.deliver(deliveries);
    // If the database's reply to the first attempt was lost, no stream has got the message yet.
    if (replayed_to.size > 0) events.wake([...replayed_to]);
    return outcomes;
  };
  /** Chats of the failed batch that are locked: their later messages must not overtake the refused one. */
  const busy_chats = new Map<string, SendOutcome>();
  const run = async (messages: NewMessage[], is_fallback: boolean): Promise<SendOutcome[]> => {
    if (!is_fallback) busy_chats.clear();
    const [{ chat_id } = { chat_id: '' }, ...others] = messages;
    const refused = busy_chats.get(chat_id);
    if (refused) return [refused];
    try {
      return await storeAndNotify(messages, is_fallback ? SINGLE_LOCK_TIMEOUT_MS : lock_timeout_ms);
    } catch (error) {
      if (!isLockTimeout(error) || others.length > 0) throw error;
      const outcome = { refusal: chatBusy(error) };
      if (is_fallback) busy_chats.set(chat_id, outcome);
      return [outcome];
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
  return new AppError('unavailable', 'This chat is busy', { retry_after_s: RETRY_AFTER_S, cause });
}

function outcomesOf(messages: NewMessage[], rows: OutcomeRow[]) {
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
  chat_closed: 'You are no longer friends, so this chat accepts no messages',
  idempotency_mismatch: 'This id was used for another message',
} as const satisfies Partial<Record<ErrorCode, string>>;

function refusalOf(code: keyof typeof REFUSALS): AppError {
  return new AppError(code, REFUSALS[code]);
}
