import { UUID_V4_PATTERN } from '@sendlap/domain/ids.ts';
import { MESSAGE_PAGE_SIZE } from '@sendlap/domain/messages.ts';
import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Empty, numericText, Timestamp, Uuid } from './wire/schemas.ts';

/** A chat's id in a path; the refusal quotes an invalid one. */
export const ChatId = z
  .string()
  .check(
    z.regex(UUID_V4_PATTERN, { error: ({ input }) => `Chat ID is not a valid UUID format: ${String(input)}` }),
    z.toLowerCase(),
  );

/** `public_id` is empty for a user who is not (or no longer) a friend. */
export const ChatPerson = z.object({ id: Uuid, name: z.string(), public_id: z.string() });
export type ChatPerson = z.infer<typeof ChatPerson>;

/** `sender` began the chat, `receiver` is the other participant. `unreadCount`: messages to me that I have not read. */
export const Chat = z.object({
  id: Uuid,
  /** Name of the other participant. */
  name: z.string(),
  sender: ChatPerson,
  receiver: ChatPerson,
  other_participant: ChatPerson,
  /** The first 120 code points of the latest message on one line; null without messages. */
  latest_message_preview: z.nullable(z.string()),
  latest_message_at: z.nullable(Timestamp),
  latest_message_sender_id: z.nullable(Uuid),
  unreadCount: z.number(),
  /** Number of the latest message, 0 without messages. */
  last_seq: z.number(),
  /** False once the two are no longer friends: messages stay, and no new ones are accepted. */
  can_send: z.boolean(),
});
export type Chat = z.infer<typeof Chat>;

/** `id` is the client_id with which it was sent. `seq` numbers the messages of its chat without gaps, from 1. */
export const Message = z.object({
  id: Uuid,
  chat_id: Uuid,
  seq: z.number(),
  message: z.string(),
  sender_id: Uuid,
  sender_name: z.string(),
  created_at: Timestamp,
  /** When the other participant saw it; null: not yet. */
  read_at: z.nullable(Timestamp),
});
export type Message = z.infer<typeof Message>;

export const listChats = endpoint({
  method: 'GET',
  path: '/v1/chats',
  summary: 'My chats, latest message first',
  access: 'user',
  data: z.array(Chat),
});

export const createChat = endpoint({
  method: 'POST',
  path: '/v1/chats',
  summary: 'The chat with a friend, created if missing',
  access: 'user',
  body: z.strictObject({ receiver_id: Uuid }),
  data: Chat,
  status: 201,
  limit: { max: 60, window_s: 3600 },
  errors: ['user_not_found'],
});

const wholeNumberText = (least: number, most: number) =>
  numericText(z.number().check(z.int(), z.gte(least), z.lte(most)));
const MAX_SEQ = 999_999_999;

export const listMessages = endpoint({
  method: 'GET',
  path: '/v1/chats/:chat_id/messages',
  summary:
    'Messages, ascending inside a page. The newest page is that of offset 0. As fast however far back: `before`, or `after`, with the seq of a message',
  access: 'user',
  params: z.strictObject({ chat_id: ChatId }),
  query: z
    .strictObject({
      offset: z._default(wholeNumberText(0, MAX_SEQ), 0),
      limit: z._default(wholeNumberText(1, 100), MESSAGE_PAGE_SIZE),
      /** Requests the page that ends right before this `seq`. */
      before: z.optional(wholeNumberText(1, MAX_SEQ)),
      /** Requests the page that begins right after this `seq`. */
      after: z.optional(wholeNumberText(0, MAX_SEQ)),
    })
    .check(
      z.refine(
        ({ offset, before, after }) =>
          [offset > 0, before !== undefined, after !== undefined].filter(Boolean).length <= 1,
        {
          message: 'offset, before and after exclude each other',
          path: ['offset'],
        },
      ),
    ),
  data: z.array(Message),
  errors: ['chat_not_found'],
});

export const MESSAGES_A_MINUTE = 60;

export const sendMessage = endpoint({
  method: 'POST',
  path: '/v1/chats/:chat_id/messages',
  summary: 'Write to a friend; the same client_id (or Idempotency-Key) again gives the stored message',
  access: 'user',
  params: z.strictObject({ chat_id: ChatId }),
  // The server counts code points after the trim (422 message_too_long); this schema does not limit the length.
  body: z.strictObject({ message: z.string(), client_id: z.optional(Uuid) }),
  // The longest message has 20,000 code points, each at most twelve bytes of JSON: an escaped surrogate pair.
  max_body_bytes: 256 * 1024,
  data: Message,
  status: 201,
  limit: { max: MESSAGES_A_MINUTE, window_s: 60 },
  errors: ['chat_not_found', 'chat_closed', 'message_empty', 'message_too_long', 'idempotency_mismatch'],
});

export const markMessagesRead = endpoint({
  method: 'POST',
  path: '/v1/chats/:chat_id/messages/mark-read',
  summary: 'I have seen these messages; those already read, and my own, are skipped',
  access: 'user',
  params: z.strictObject({ chat_id: ChatId }),
  body: z.strictObject({ messageIds: z.array(Uuid).check(z.minLength(1), z.maxLength(100)) }),
  data: z.object({ unreadCount: z.number() }),
  errors: ['chat_not_found', 'message_not_found'],
});

export const reportTyping = endpoint({
  method: 'POST',
  path: '/v1/chats/:chat_id/typing',
  summary: 'I am writing: shown to the other one for some seconds',
  access: 'user',
  params: z.strictObject({ chat_id: ChatId }),
  data: Empty,
  limit: { max: 30, window_s: 60 },
  errors: ['chat_not_found', 'chat_closed'],
});
