import type { Chat, Message } from '@sendlap/contract/chats.ts';
import { messagePreview } from '@sendlap/domain/messages.ts';
import { isWithErasedUser } from './erased-user.ts';

interface ChatListUpdate {
  /** The chats in the cache when the request was sent. */
  cached_before: readonly Chat[];
  /** The chats in the cache when the response arrives. */
  cached_now: readonly Chat[];
  fetched: readonly Chat[];
}

/** Merges the server's list with chats that were updated or created while the request was in flight. */
export function mergeChats({ cached_before, cached_now, fetched }: ChatListUpdate): Chat[] {
  const by_id = new Map(cached_now.map((chat) => [chat.id, chat]));
  const chats_before = new Set(cached_before);
  const merged = fetched.map((chat): Chat => {
    const cached = by_id.get(chat.id);
    // A chat that is unchanged since the request is not newer than the response: the server may have lost its messages,
    // as with an older copy of its database.
    if (!cached || chats_before.has(cached)) return chat;
    // An erased user writes nothing more, and none of that user's earlier text may stay: the response wins.
    if (cached.last_seq <= chat.last_seq || isWithErasedUser(chat)) return chat;
    const { latest_message_preview, latest_message_at, latest_message_sender_id, last_seq, unreadCount } = cached;
    return { ...chat, latest_message_preview, latest_message_at, latest_message_sender_id, last_seq, unreadCount };
  });
  const isUpdated = (chat: Chat) => !fetched.includes(chat);
  const has = (chats: readonly Chat[], { id }: Chat) => chats.some((chat) => chat.id === id);
  const created = cached_now.filter((chat) => !has(cached_before, chat) && !has(fetched, chat));
  return [...created, ...merged.filter(isUpdated), ...merged.filter((chat) => !isUpdated(chat))];
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
  const updated: Chat = {
    ...chat,
    latest_message_preview: messagePreview(message.message),
    latest_message_at: message.created_at,
    latest_message_sender_id: message.sender_id,
    last_seq: message.seq,
    unreadCount: chat.unreadCount + (message.sender_id === my_id ? 0 : 1),
  };
  return [updated, ...chats.filter((other) => other !== chat)];
}

/** Returns the list with a changed unread count of one chat. */
export function withUnread(chats: readonly Chat[], chat_id: string, unread: (count: number) => number): Chat[] {
  return chats.map((chat) =>
    chat.id === chat_id ? { ...chat, unreadCount: Math.max(0, unread(chat.unreadCount)) } : chat,
  );
}

interface MyRead {
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
export function withMyRead(chats: readonly Chat[], { chat_id, read_at, unread_count }: MyRead): Chat[] | null {
  const latest_at = chats.find(({ id }) => id === chat_id)?.latest_message_at ?? null;
  const has_newer_message = latest_at !== null && Date.parse(latest_at) > Date.parse(read_at);
  return has_newer_message ? null : withUnread(chats, chat_id, () => unread_count);
}

/** Returns the number of unread messages in all chats. */
export function unreadTotal(chats: readonly Chat[]): number {
  return chats.reduce((total, { unreadCount }) => total + unreadCount, 0);
}
