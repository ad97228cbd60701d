import { isRecord } from '@sendlap/contract/wire/json-record.ts';
import type { Json } from './reply.ts';

/** Returns the content of an envelope, wrapped once, twice or not at all. */
function unwrap(body: unknown): unknown {
  let content = body;
  while (isRecord(content) && 'data' in content && !('id' in content)) content = content.data;
  return content;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Converts any valid time to the contract's format; leaves anything else for the schema to refuse. */
function normalizeTime(value: unknown): unknown {
  const at_ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at_ms) ? value : new Date(at_ms).toISOString();
}

/** In other servers' lists `message` may be a message object. */
function previewText(value: unknown): string | null {
  return isRecord(value) ? textOf(value.message ?? value.content) : textOf(value);
}

function completePerson(person: unknown, fallback: unknown): unknown {
  if (!isRecord(person)) return fallback;
  const fallback_fields = isRecord(fallback) ? fallback : {};
  return {
    ...fallback_fields,
    ...person,
    id: person.id ?? fallback_fields.id,
    name: person.name ?? fallback_fields.name ?? '',
    public_id: person.public_id ?? fallback_fields.public_id ?? '',
  };
}

/** Returns the other participant, for servers that only list both: by id, else by name. */
function findOtherParticipant({ sender, receiver, other_participant }: Json, my_id: string): unknown {
  const both = [sender, receiver].filter(isRecord);
  const by_name = isRecord(other_participant) && both.find(({ name }) => name === other_participant.name);
  return both.find(({ id }) => id !== my_id && id !== undefined) ?? (by_name || receiver);
}

/** Converts a chat in either naming variant of the spec (section 3) to the contract's shape. */
function completeChat(chat: unknown, my_id: string): unknown {
  if (!isRecord(chat)) return chat;
  const last = chat.latest_message_preview ?? chat.lastMessage;
  const last_at = chat.latest_message_at ?? chat.lastMessageAt ?? (isRecord(last) ? messageTime(last) : null);
  const other = completePerson(chat.other_participant, findOtherParticipant(chat, my_id));
  return {
    ...chat,
    name: chat.name ?? (isRecord(other) ? other.name : ''),
    sender: completePerson(chat.sender, chat.sender),
    receiver: completePerson(chat.receiver, chat.receiver),
    other_participant: other,
    latest_message_preview: previewText(last),
    latest_message_at: normalizeTime(last_at ?? null),
    latest_message_sender_id: chat.latest_message_sender_id ?? (isRecord(last) ? (last.sender_id ?? null) : null),
    unreadCount: chat.unreadCount ?? chat.unread_count ?? 0,
    last_seq: chat.last_seq ?? 0,
    can_send: chat.can_send ?? true,
  };
}

function messageTime({ created_at, createdAt }: Json): unknown {
  return created_at ?? createdAt ?? null;
}

/**
 * Converts a message in either naming variant of the spec (section 3). A server that does not number messages sends no
 * `seq`: 0.
 */
function completeMessage(message: unknown, chat_id: string): unknown {
  if (!isRecord(message)) return message;
  return {
    ...message,
    chat_id: message.chat_id ?? chat_id,
    seq: message.seq ?? 0,
    message: message.message ?? message.content,
    sender_name: message.sender_name ?? message.senderName ?? '',
    created_at: normalizeTime(messageTime(message)),
    read_at: message.read_at ?? null,
  };
}

/**
 * For `normalizeReply` of `listChats`. `my_id`: the signed-in user, for servers that do not mark the other participant.
 */
export function completeChatsReply(my_id: string): (body: unknown) => unknown {
  return (body) => {
    const content = unwrap(body);
    return Array.isArray(content) ? content.map((chat) => completeChat(chat, my_id)) : body;
  };
}

/** For `normalizeReply` of `createChat`; see `completeChatsReply`. */
export function completeChatReply(my_id: string): (body: unknown) => unknown {
  return (body) => completeChat(unwrap(body), my_id);
}

/** For `normalizeReply` of `listMessages`. */
export function completeMessagesReply({ chat_id }: { chat_id: string }): (body: unknown) => unknown {
  return (body) => {
    const content = unwrap(body);
    return Array.isArray(content) ? content.map((message) => completeMessage(message, chat_id)) : body;
  };
}

/** For `normalizeReply` of `sendMessage`. */
export function completeMessageReply({ chat_id }: { chat_id: string }): (body: unknown) => unknown {
  return (body) => completeMessage(unwrap(body), chat_id);
}
