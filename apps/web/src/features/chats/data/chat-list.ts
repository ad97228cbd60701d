import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import { isWithErased } from './erased-person.ts';

interface Reading {
  /** The chats known when the request was sent. */
  before: readonly Chat[];
  /** The chats known when the response arrives. */
  known: readonly Chat[];
  said: readonly Chat[];
}

/** Merges the server's list with chats that were updated or created while the request was in flight. */
export function mergeChats({ before, known, said }: Reading): Chat[] {
  const by_id = new Map(known.map((chat) => [chat.id, chat]));
  const of_before = new Set(before);
  const merged = said.map((chat): Chat => {
    const told = by_id.get(chat.id);
    // A chat that is unchanged since the request is not newer than the response: the server may have lost its messages,
    // as with an older copy of its database.
    if (!told || of_before.has(told)) return chat;
    // An erased user writes nothing more, and none of that user's earlier text may stay: the response wins.
    if (told.last_seq <= chat.last_seq || isWithErased(chat)) return chat;
    const { latest_message_preview, latest_message_at, latest_message_sender_id, last_seq, unreadCount } = told;
    return { ...chat, latest_message_preview, latest_message_at, latest_message_sender_id, last_seq, unreadCount };
  });
  const isTold = (chat: Chat) => !said.includes(chat);
  const has = (chats: readonly Chat[], { id }: Chat) => chats.some((chat) => chat.id === id);
  const begun = known.filter((chat) => !has(before, chat) && !has(said, chat));
  return [...begun, ...merged.filter(isTold), ...merged.filter((chat) => !isTold(chat))];
}

/**
 * Returns the list after a message; null if it must be refetched, because the list does not say where the message
 * belongs.
 */
export function withMessage(chats: readonly Chat[], message: Message, my_id: string): Chat[] | null {
  const chat = chats.find(({ id }) => id === message.chat_id);
  if (!chat || message.seq === 0) return null;
  if (message.seq <= chat.last_seq) return [...chats];
  // The response to my message may arrive before the events of earlier messages: those would never be counted.
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

/** Returns the list with a changed unread count of one chat. */
export function withUnread(chats: readonly Chat[], chat_id: string, unread: (count: number) => number): Chat[] {
  return chats.map((chat) =>
    chat.id === chat_id ? { ...chat, unreadCount: Math.max(0, unread(chat.unreadCount)) } : chat,
  );
}

interface OwnReading {
  chat_id: string;
  /** ISO 8601, UTC */
  read_at: string;
  /** The unread count after that read. */
  unread_count: number;
}

/**
 * Returns the list after I read messages on any device; null if it must be refetched, since it counts messages newer
 * than that read. That happens when a resumed stream replays events from before the list was fetched.
 */
export function withOwnReading(chats: readonly Chat[], { chat_id, read_at, unread_count }: OwnReading): Chat[] | null {
  const latest_at = chats.find(({ id }) => id === chat_id)?.latest_message_at ?? null;
  const is_of_before = latest_at !== null && Date.parse(latest_at) > Date.parse(read_at);
  return is_of_before ? null : withUnread(chats, chat_id, () => unread_count);
}

/** Returns the number of unread messages in all chats. */
export function unreadTotal(chats: readonly Chat[]): number {
  return chats.reduce((total, { unreadCount }) => total + unreadCount, 0);
}
