import { randomUUID } from 'node:crypto';
import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { codePoints, MESSAGE_MAX_CODE_POINTS, normalizeMessage } from '@sendlap/domain/messages.ts';
import { type Database, databaseErrorCode } from '#api/platform/database.ts';
import { DELETED_USER_ID } from '#api/platform/deleted-user.ts';
import { AppError } from '#api/platform/errors.ts';
import { type KeptFor, keepEvents } from '#api/platform/event-store.ts';
import type { Events } from '#api/platform/events.ts';
import { PATIENCE_MS } from './hold-chats.ts';
import { markRead } from './mark-read.ts';
import { presentChat, presentMessage } from './present.ts';
import { createSending, type Sent } from './sending.ts';
import { addChat, findAccess, findChatOf, listChats, listMessages, type Page } from './store.ts';

const FOREIGN_KEY_VIOLATION = '23503';

/** Every call throws `chat_not_found` for a chat of others, one that is not there, and one that a block hides. */
export interface ChatService {
  /** Latest message first. */
  listChats(user_id: string): Promise<Chat[]>;
  /**
   * The chat with a friend, or the one there is with somebody who was one. Throws `user_not_found` for everybody else.
   * `is_replay`: it was there.
   */
  createChat(user_id: string, receiver_id: string): Promise<{ chat: Chat; is_replay: boolean }>;
  /** A page, ascending. */
  listMessages(user_id: string, page: Page & { chat_id: string }): Promise<Message[]>;
  /**
   * Stores a message under its id, once: a repeat gives it as it was stored. Throws `message_empty`, `message_too_long`,
   * `chat_closed` unless the two are friends, and `idempotency_mismatch` for an id of another message.
   */
  sendMessage(user_id: string, message: { chat_id: string; id: string; text: string }): Promise<Sent>;
  /** Gives how many messages of the chat the user has not read. Throws `message_not_found`; nothing is changed then. */
  markMessagesRead(user_id: string, chat_id: string, ids: string[]): Promise<number>;
  /** Tells the other one, if they look, that the user is writing. Throws `chat_closed`. */
  noteTyping(user_id: string, chat_id: string): Promise<void>;
}

interface ChatOptions {
  database: Database;
  events: Pick<Events, 'transact' | 'tell' | 'deliver' | 'whisper'>;
  now: () => Date;
  /** How long a call waits for a chat that another transaction holds, before it is refused as `unavailable`. */
  patience_ms?: number | undefined;
}

export function createChatService(options: ChatOptions): ChatService {
  const { database, events, now, patience_ms = PATIENCE_MS } = options;
  const send = createSending({ database, events, now, patience_ms });

  return {
    listChats: async (user_id) => (await listChats(database, user_id)).map(presentChat),

    createChat(user_id, receiver_id) {
      const created = events.transact(async (trx) => {
        const known = await findChatOf(trx, user_id, receiver_id);
        const new_id = randomUUID();
        const is_new = !known && (await addChat(trx, { id: new_id, by: user_id, with: receiver_id, now: now() }));
        const chat_id = is_new ? new_id : (known ?? (await findChatOf(trx, user_id, receiver_id)));
        const [chat] = chat_id === undefined ? [] : await listChats(trx, user_id, chat_id);
        if (!chat) throw userNotFound();
        if (is_new) {
          const kept = [user_id, receiver_id].map((id): KeptFor => {
            return { user_id: id, event: { type: 'chat_changed', chat_id: chat.id } };
          });
          await keepEvents(trx, kept);
          events.tell(trx, kept, []);
        }
        return { chat: presentChat(chat), is_replay: !is_new };
      });
      return created.catch((error: unknown) => {
        // One of the two was erased meanwhile.
        throw databaseErrorCode(error) === FOREIGN_KEY_VIOLATION ? userNotFound(error) : error;
      });
    },

    async listMessages(user_id, page) {
      const rows = await listMessages(database, user_id, page);
      if (!rows) throw chatNotFound();
      return rows.map(presentMessage);
    },

    async sendMessage(user_id, { chat_id, id, text }) {
      return send({ id, chat_id, sender_id: user_id, text: checkText(text) });
    },

    markMessagesRead(user_id, chat_id, ids) {
      return events.transact(async (trx) => {
        const at = now();
        const read = await markRead(trx, { user_id, chat_id, ids: [...new Set(ids)], now: at, patience_ms });
        if (read === 'chat_not_found') throw chatNotFound();
        if (read === 'message_not_found') throw new AppError(read, 'Message not found');
        const { message_ids, participants, unread } = read;
        if (message_ids.length > 0) {
          const event = {
            type: 'messages_read',
            chat_id,
            reader_id: user_id,
            message_ids,
            read_at: at.toISOString(),
            unread_count: unread,
          } as const;
          const readers = participants.filter((id) => id !== DELETED_USER_ID);
          const kept = readers.map((id): KeptFor => ({ user_id: id, event }));
          await keepEvents(trx, kept);
          events.tell(trx, kept, []);
        }
        return unread;
      });
    },

    async noteTyping(user_id, chat_id) {
      const chat = await findAccess(database, user_id, chat_id);
      if (!chat) throw chatNotFound();
      if (!chat.is_friend) throw new AppError('chat_closed', 'You are no friends any more');
      const other_id = chat.user_low === user_id ? chat.user_high : chat.user_low;
      events.whisper([other_id], { type: 'typing', chat_id, user_id });
    },
  };
}

function userNotFound(cause?: unknown): AppError {
  return new AppError('user_not_found', 'User not found', { cause });
}

function chatNotFound(): AppError {
  return new AppError('chat_not_found', 'Chat not found');
}

/** The text as it is stored. */
function checkText(text: string): string {
  const trimmed = normalizeMessage(text);
  if (trimmed === null) throw new AppError('message_empty', 'A message needs a text');
  // No text has more code points than UTF-16 units.
  if (trimmed.length > MESSAGE_MAX_CODE_POINTS && codePoints(trimmed) > MESSAGE_MAX_CODE_POINTS) {
    throw new AppError('message_too_long', `A message has at most ${MESSAGE_MAX_CODE_POINTS} characters`);
  }
  return trimmed;
}
