import { randomUUID } from 'node:crypto';
import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { countCodePoints, MESSAGE_MAX_CODE_POINTS, normalizeMessage } from '@sendlap/domain/messages.ts';
import { sql } from 'kysely';
import { type Database, databaseErrorCode, FOREIGN_KEY_VIOLATION, type Trx } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { appendEvents, type UserEvent } from '#api/events/event-store.ts';
import type { Events } from '#api/events/events.ts';
import { ENVELOPE_HEAD, ENVELOPE_TAIL, RawJson } from '#api/http/raw-json.ts';
import { AppError, userNotFound } from '#api/platform/errors.ts';
import { BATCH_LOCK_TIMEOUT_MS, LOCK_TIMEOUT_MS, lockChats } from './lock-chats.ts';
import { createMessageSender, type SendResult } from './message-sender.ts';
import { presentChat } from './present.ts';
import {
  findChatAccess,
  findChatBetween,
  insertChat,
  isChatVisibleTo,
  listChats,
  listMessages,
  type MessagePageRequest,
} from './store.ts';

export type ChatService = ReturnType<typeof createChatService>;

interface ChatOptions {
  database: Database;
  events: Pick<Events, 'transact' | 'publish' | 'deliver' | 'wake' | 'sendEphemeral'>;
  now: () => Date;
  /** How long a call waits for a chat that another transaction holds before it throws `unavailable`. */
  lock_timeout_ms?: number | undefined;
}

/** Calls with a `chat_id` throw `chat_not_found` for other users' chats, missing chats and chats hidden by a block. */
export function createChatService(options: ChatOptions) {
  const { database, events, now, lock_timeout_ms = LOCK_TIMEOUT_MS } = options;
  const send = createMessageSender({
    database,
    events,
    now,
    lock_timeout_ms: options.lock_timeout_ms ?? BATCH_LOCK_TIMEOUT_MS,
  });

  return {
    /** Latest message first. */
    listChats: async (user_id: string) => (await listChats(database, user_id)).map(presentChat),

    /**
     * Creates the chat with a friend, or returns the existing chat, also with an ex-friend. Throws `user_not_found` for
     * all other users. `is_replay`: the chat existed.
     */
    createChat(user_id: string, receiver_id: string): Promise<{ chat: Chat; is_replay: boolean }> {
      const created = events.transact(async (trx) => {
        const existing_id = await findChatBetween(trx, user_id, receiver_id);
        const new_id = randomUUID();
        const is_new =
          !existing_id && (await insertChat(trx, { id: new_id, by: user_id, with: receiver_id, now: now() }));
        const chat_id = is_new ? new_id : (existing_id ?? (await findChatBetween(trx, user_id, receiver_id)));
        const [chat] = chat_id === undefined ? [] : await listChats(trx, user_id, chat_id);
        if (!chat) throw userNotFound();
        if (is_new) {
          const chat_events = [user_id, receiver_id].map((id): UserEvent => {
            return { user_id: id, event: { type: 'chat_changed', chat_id: chat.id } };
          });
          await appendEvents(trx, chat_events);
          events.publish(trx, chat_events, []);
        }
        return { chat: presentChat(chat), is_replay: !is_new };
      });
      return created.catch((error: unknown) => {
        // One of the two users was erased in the meantime.
        throw databaseErrorCode(error) === FOREIGN_KEY_VIOLATION ? userNotFound(error) : error;
      });
    },

    /** Returns a page of the chat's messages, oldest first. */
    async listMessages(user_id: string, page: MessagePageRequest & { chat_id: string }): Promise<RawJson<Message[]>> {
      const messages = await listMessages(database, user_id, page);
      if (messages === undefined) throw chatNotFound();
      return new RawJson(ENVELOPE_HEAD + messages + ENVELOPE_TAIL);
    },

    /**
     * Stores a message once under its id; a repeat returns it as stored. Throws `message_empty`, `message_too_long`,
     * `chat_closed` unless the two are friends, and `idempotency_mismatch` if the id belongs to another message.
     */
    async sendMessage(
      user_id: string,
      { chat_id, id, text }: { chat_id: string; id: string; text: string },
    ): Promise<SendResult> {
      return send({ id, chat_id, sender_id: user_id, text: normalizeText(text) });
    },

    /**
     * Marks messages as read and returns the chat's remaining unread count. Throws `message_not_found` if one of them
     * is not in the chat; then none is marked.
     */
    markMessagesRead(user_id: string, chat_id: string, ids: string[]): Promise<number> {
      return events.transact(async (trx) => {
        const at = now();
        const request = { user_id, chat_id, ids: [...new Set(ids)], now: at, lock_timeout_ms };
        const { message_ids, participants, unread } = await markRead(trx, request);
        if (message_ids.length > 0) {
          const event = {
            type: 'messages_read',
            chat_id,
            reader_id: user_id,
            message_ids,
            read_at: at.toISOString(),
            unread_count: unread,
          } as const;
          const recipients = participants.filter((id) => id !== DELETED_USER_ID);
          const chat_events = recipients.map((id): UserEvent => ({ user_id: id, event }));
          await appendEvents(trx, chat_events);
          events.publish(trx, chat_events, []);
        }
        return unread;
      });
    },

    /** Sends a typing event to the other participant's open streams. Throws `chat_closed` unless they are friends. */
    async notifyTyping(user_id: string, chat_id: string): Promise<void> {
      const chat = await findChatAccess(database, user_id, chat_id);
      if (!chat) throw chatNotFound();
      if (!chat.is_friend) throw new AppError('chat_closed', 'You are no longer friends');
      const other_id = chat.user_low === user_id ? chat.user_high : chat.user_low;
      events.sendEphemeral([other_id], { type: 'typing', chat_id, user_id });
    },
  };
}

function chatNotFound(): AppError {
  return new AppError('chat_not_found', 'Chat not found');
}

/** Returns the text as it is stored. Throws `message_empty`, `message_too_long`. */
function normalizeText(text: string): string {
  const trimmed = normalizeMessage(text);
  if (trimmed === null) throw new AppError('message_empty', 'A message needs a text');
  // Cheap check first: a text never has more code points than UTF-16 units.
  if (trimmed.length > MESSAGE_MAX_CODE_POINTS && countCodePoints(trimmed) > MESSAGE_MAX_CODE_POINTS) {
    throw new AppError('message_too_long', `A message has at most ${MESSAGE_MAX_CODE_POINTS} characters`);
  }
  return trimmed;
}

interface MarkReadRequest {
  user_id: string;
  chat_id: string;
  /** Without duplicates. */
  ids: string[];
  now: Date;
  /** How long it waits for a chat that another transaction holds. */
  lock_timeout_ms: number;
}

/**
 * Marks messages to the user as read and lowers the unread counter; the user's own messages and those already read stay
 * unchanged. Throws `chat_not_found` for a chat not open to the user, `message_not_found` if a message is not in it.
 * Returns the newly read `message_ids`, in chat order.
 */
async function markRead(trx: Trx, { user_id, chat_id, ids, now, lock_timeout_ms }: MarkReadRequest) {
  await lockChats(trx, [chat_id], lock_timeout_ms);
  const found = await sql<{ user_low: string; user_high: string; low_unread: number; high_unread: number }>`
    select c.user_low, c.user_high, c.low_unread, c.high_unread
    from chats c where c.id = ${chat_id} and ${isChatVisibleTo(user_id)}`.execute(trx);
  const chat = found.rows[0];
  if (!chat) throw chatNotFound();
  const is_user_low = chat.user_low === user_id;
  const { rows } = await sql<{ id: string; is_new: boolean }>`
    select id, sender_id <> ${user_id} and read_at is null as is_new
    from messages where chat_id = ${chat_id} and id = any(${ids}::uuid[]) order by seq`.execute(trx);
  if (rows.length < ids.length) throw new AppError('message_not_found', 'Message not found');
  const message_ids = rows.filter(({ is_new }) => is_new).map(({ id }) => id);
  const participants = [chat.user_low, chat.user_high];
  const unread = (is_user_low ? chat.low_unread : chat.high_unread) - message_ids.length;
  if (message_ids.length > 0) {
    const counter = sql.ref(is_user_low ? 'low_unread' : 'high_unread');
    await sql`
      with chat as (update chats set ${counter} = ${unread} where id = ${chat_id})
      update messages set read_at = ${now} where id = any(${message_ids}::uuid[])`.execute(trx);
  }
  return { participants, message_ids, unread };
}
