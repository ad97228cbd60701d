import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import { isWithErased } from './erased-person.ts';

interface Reading {
  /** What was known when the server was asked. */
  before: readonly Chat[];
  /** What is known when it answers. */
  known: readonly Chat[];
  said: readonly Chat[];
}

/** What the server has just said of my chats, but no older than what was told, or begun, meanwhile. */
export function mergeChats({ before, known, said }: Reading): Chat[] {
  const by_id = new Map(known.map((chat) => [chat.id, chat]));
  const of_before = new Set(before);
  const merged = said.map((chat): Chat => {
    const told = by_id.get(chat.id);
    // What was known before is no newer: the server may have lost it, as with an older copy of its database.
    if (!told || of_before.has(told)) return chat;
    // Whoever was erased writes nothing any more, and of what was told of them before no word stays.
    if (told.last_seq <= chat.last_seq || isWithErased(chat)) return chat;
    const { latest_message_preview, latest_message_at, latest_message_sender_id, last_seq, unreadCount } = told;
    return { ...chat, latest_message_preview, latest_message_at, latest_message_sender_id, last_seq, unreadCount };
  });
  const isTold = (chat: Chat) => !said.includes(chat);
  const has = (chats: readonly Chat[], { id }: Chat) => chats.some((chat) => chat.id === id);
  const begun = known.filter((chat) => !has(before, chat) && !has(said, chat));
  return [...begun, ...merged.filter(isTold), ...merged.filter((chat) => !isTold(chat))];
}

/** The list after a message; null: it has to be read again, for it does not say where the message belongs. */
export function withMessage(chats: readonly Chat[], message: Message, my_id: string): Chat[] | null {
  const chat = chats.find(({ id }) => id === message.chat_id);
  if (!chat || message.seq === 0) return null;
  if (message.seq <= chat.last_seq) return [...chats];
  // Mine may be answered before those of others that it follows are told: they would never be counted.
  if (message.seq > chat.last_seq + 1) return null;
  const news: Chat = {
    ...chat,
    latest_message_preview: messagePreview(message.message),
    latest_message_at: message.created_at,
    latest_message_sender_id: message.sender_id,
    last_seq: message.seq,
    unreadCount: chat.unreadCount + (message.sender_id === my_id ? 0 : 1),
  };
  return [news, ...chats.filter((other) => other !== chat)];
}

/** The list with another number of unread messages in one chat. */
export function withUnread(chats: readonly Chat[], chat_id: string, unread: (count: number) => number): Chat[] {
  return chats.map((chat) =>
    chat.id === chat_id ? { ...chat, unreadCount: Math.max(0, unread(chat.unreadCount)) } : chat,
  );
}

interface OwnReading {
  chat_id: string;
  /** ISO 8601, UTC */
  read_at: string;
  /** What was unread after it. */
  unread_count: number;
}

/**
 * The list after I read something, here or elsewhere; null: it has to be read again, for it counts messages that came
 * after that. So it is where a stream goes on with what was told before the list was read.
 */
export function withOwnReading(chats: readonly Chat[], { chat_id, read_at, unread_count }: OwnReading): Chat[] | null {
  const latest_at = chats.find(({ id }) => id === chat_id)?.latest_message_at ?? null;
  const is_of_before = latest_at !== null && Date.parse(latest_at) > Date.parse(read_at);
  return is_of_before ? null : withUnread(chats, chat_id, () => unread_count);
}

/** All unread messages together. */
export function unreadTotal(chats: readonly Chat[]): number {
  return chats.reduce((total, { unreadCount }) => total + unreadCount, 0);
}
