import { sql } from 'kysely';
import type { Database } from '#api/database/database.ts';

/** Compares the rows of messages with the sequence numbers and counters stored next to them. */
export interface ChatAudit {
  messages: number;
  /** Chats whose sequence numbers are not 1, 2, 3 … up to the latest. */
  with_gaps: number;
  /** Chats whose unread counters differ from an actual count. */
  wrong_counters: number;
}

export async function auditChats(database: Database): Promise<ChatAudit> {
  const { rows } = await sql<ChatAudit>`
    with counted as (
      select chat_id, count(*) as messages, count(distinct seq) as numbers, min(seq) as first, max(seq) as latest,
        count(*) filter (where read_at is null and sender_id = user_high) as low_unread,
        count(*) filter (where read_at is null and sender_id = user_low) as high_unread
      from messages join chats on chats.id = chat_id group by chat_id
    )
    select coalesce(sum(c.messages), 0)::int as messages,
      count(*) filter (where c.messages is not null and
        (c.first <> 1 or c.latest <> c.messages or c.numbers <> c.messages or last_seq <> c.latest)
        or c.messages is null and last_seq <> 0)::int as with_gaps,
      count(*) filter (where chats.low_unread <> coalesce(c.low_unread, 0)
        or chats.high_unread <> coalesce(c.high_unread, 0))::int as wrong_counters
    from chats left join counted c on c.chat_id = chats.id
  `.execute(database);
  return rows[0] ?? { messages: 0, with_gaps: 0, wrong_counters: 0 };
}

export interface StoredMessage {
  id: string;
  chat_id: string;
  seq: number;
  text: string;
  is_read: boolean;
}

/** Returns all messages, chat by chat in order. */
export async function readMessages(database: Database): Promise<StoredMessage[]> {
  const { rows } = await sql<StoredMessage>`
    select id, chat_id, seq::int, text, read_at is not null as is_read from messages order by chat_id, seq
  `.execute(database);
  return rows;
}

/** Average number of messages a transaction wrote. Events are never updated, so their xmin names their transaction. */
export async function countTogether(database: Database): Promise<number> {
  const { rows } = await sql<{ together: number }>`
    select count(distinct data->'message'->>'id') / count(distinct xmin::text)::float8 as together
    from user_events where type = 'message_created'
  `.execute(database);
  return rows[0]?.together ?? 0;
}
