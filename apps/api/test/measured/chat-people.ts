import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';

/** A sender, a receiver, and their chat. */
export interface Pair {
  chat_id: string;
  sender_id: string;
  receiver_id: string;
}

/** Creates receivers with so many friends each, who share a chat with them. */
export async function makePairs(database: Database, receivers: number, senders_each: number): Promise<Pair[]> {
  await sql`
    insert into users (id, public_id, email, name, display_name)
    select gen_random_uuid(), 'receiver-' || nth, '', 'Bo', 'Bo' from generate_series(1, ${receivers}::int) nth
  `.execute(database);
  await sql`
    insert into users (id, public_id, email, name, display_name)
    select gen_random_uuid(), 'sender-' || nth || '-' || friend, '', 'Ada', 'Ada'
    from generate_series(1, ${receivers}::int) nth, generate_series(1, ${senders_each}::int) friend
  `.execute(database);
  const { rows } = await sql<Pair>`
    with pair as (
      select s.id as sender_id, r.id as receiver_id, least(s.id, r.id) as low, greatest(s.id, r.id) as high
      from users s join users r on r.public_id = 'receiver-' || split_part(s.public_id, '-', 2)
      where s.public_id like 'sender-%'
    ), friendship as (
      insert into friendships (id, user_low, user_high) select gen_random_uuid(), low, high from pair
    ), chat as (
      insert into chats (id, user_low, user_high, created_by)
      select gen_random_uuid(), low, high, sender_id from pair
      returning id, user_low, user_high
    )
    select chat.id as chat_id, sender_id, receiver_id
    from pair join chat on user_low = low and user_high = high
    order by split_part((select public_id from users where id = sender_id), '-', 3)::int, receiver_id
  `.execute(database);
  await sql`analyze`.execute(database);
  return rows;
}

/** Adds so many messages to each of these chats, half of each participant, all read, a minute apart. */
export async function fillChats(database: Database, chat_ids: string[], messages: number): Promise<void> {
  // One chat at a time: all at once would exceed the statement timeout.
  for (const chat_id of chat_ids) {
    await sql`
      insert into messages (id, chat_id, seq, sender_id, text, created_at, read_at)
      select gen_random_uuid(), chats.id, last_seq + nth, case when nth % 2 = 0 then user_low else user_high end,
        'Message ' || nth || ': the blue one by the door is open again', at, at
      from chats, generate_series(1, ${messages}::int) nth,
        lateral (select now() - (${messages}::int - nth) * interval '1 minute' as at) moment
      where chats.id = ${chat_id}
    `.execute(database);
  }
  await sql`
    update chats set last_seq = last_seq + ${messages}::int, latest_at = now() where id = any(${chat_ids}::uuid[])
  `.execute(database);
  await sql`vacuum analyze messages, chats`.execute(database);
}
