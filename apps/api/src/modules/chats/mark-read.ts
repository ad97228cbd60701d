import { sql } from 'kysely';
import type { Trx } from '#api/platform/database.ts';
import { holdChats } from './hold-chats.ts';
import { isOpenTo } from './store.ts';

export interface Reading {
  user_id: string;
  chat_id: string;
  /** Without copies. */
  ids: string[];
  now: Date;
  /** How long it waits for a chat that another transaction holds. */
  patience_ms: number;
}

export interface Read {
  participants: string[];
  /** What this reading changed, in the order of the chat. */
  message_ids: string[];
  unread: number;
}

/**
 * Marks messages to the user as read and counts them off; their own and those read before stay as they are. Nothing is
 * changed, and the reason given, when the chat is not open to the user or one of the messages is not of it.
 */
export async function markRead(trx: Trx, reading: Reading): Promise<Read | 'chat_not_found' | 'message_not_found'> {
  const { user_id, chat_id, ids, now, patience_ms } = reading;
  await holdChats(trx, [chat_id], patience_ms);
  const held = await sql<{ user_low: string; user_high: string; low_unread: number; high_unread: number }>`
    select c.user_low, c.user_high, c.low_unread, c.high_unread
    from chats c where c.id = ${chat_id} and ${isOpenTo(user_id)}`.execute(trx);
  const chat = held.rows[0];
  if (!chat) return 'chat_not_found';
  const is_low = chat.user_low === user_id;
  const { rows } = await sql<{ id: string; is_new: boolean }>`
    select id, sender_id <> ${user_id} and read_at is null as is_new
    from messages where chat_id = ${chat_id} and id = any(${ids}::uuid[]) order by seq`.execute(trx);
  if (rows.length < ids.length) return 'message_not_found';
  const message_ids = rows.filter(({ is_new }) => is_new).map(({ id }) => id);
  const participants = [chat.user_low, chat.user_high];
  const unread = (is_low ? chat.low_unread : chat.high_unread) - message_ids.length;
  if (message_ids.length > 0) {
    const counter = sql.ref(is_low ? 'low_unread' : 'high_unread');
    await sql`
      with chat as (update chats set ${counter} = ${unread} where id = ${chat_id})
      update messages set read_at = ${now} where id = any(${message_ids}::uuid[])`.execute(trx);
  }
  return { participants, message_ids, unread };
}
