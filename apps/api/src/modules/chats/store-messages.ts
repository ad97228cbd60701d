import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { PREPARED } from '#api/database/statement-pipeline.ts';
import { lockChats } from './lock-chats.ts';
import { IS_BLOCKED } from './store.ts';

export interface NewMessage {
  id: string;
  chat_id: string;
  sender_id: string;
  /** Trimmed, not empty. */
  text: string;
}

/** The outcome of a message; a stored message has two rows, one for each participant to notify. */
export interface StoredRow {
  /** Number of the message in the group, from 1. */
  nth: number;
  /** `replay`: stored before. */
  outcome: 'stored' | 'replay' | 'idempotency_mismatch' | 'chat_not_found' | 'chat_closed';
  sender_name: string;
  seq: number;
  created_at: Date;
  read_at: Date | null;
  /** For a stored message: the owner of the event stream, and the event's number there. For a replay: the receiver. */
  user_id: string;
  event_seq: number;
}

interface StoreOptions {
  now: Date;
  /** How long to wait for a lock of another transaction. */
  max_wait_ms: number;
}

/**
 * Writes messages with different ids in one statement: permissions, numbers, unread counters, and the events of both
 * participants. Locks the chats first, then the stream counters in the order of the users' ids.
 * The plan is made once per connection, perhaps while the tables are empty, and reused when they are full: so no scan
 * of whole tables, and each id is looked up by itself (`limit`). Rows that the statement makes are not joined with each
 * other either: the planner estimates one row and would compare each with each.
 */
export function storeMessages(
  database: Database,
  messages: NewMessage[],
  { now, max_wait_ms }: StoreOptions,
): Promise<StoredRow[]> {
  return database.transaction().execute(async (trx) => {
    await lockChats(trx, [...new Set(messages.map(({ chat_id }) => chat_id))], max_wait_ms);
    const { rows } = await trx.executeQuery(messagesStatement(trx, messages, now));
    return rows;
  });
}

/** Cached: building the statement costs more than sending it, and its text never changes. */
let statement_text: string | undefined;

/** The statement by itself, for tests of its plan. */
export function messagesStatement(
  executor: Database | Trx,
  messages: NewMessage[],
  now: Date,
): CompiledQuery<StoredRow> {
  const values = {
    now,
    ids: messages.map(({ id }) => id),
    chat_ids: messages.map(({ chat_id }) => chat_id),
    sender_ids: messages.map(({ sender_id }) => sender_id),
    texts: messages.map(({ text }) => text),
  };
  statement_text ??= buildStatement(values).compile(executor).sql;
  // Values in the order of the statement's parameters.
  return CompiledQuery.raw(statement_text, Object.values(values)) as CompiledQuery<StoredRow>;
}

interface StatementValues {
  now: Date;
  ids: string[];
  chat_ids: string[];
  sender_ids: string[];
  texts: string[];
}

function buildStatement({ now, ids, chat_ids, sender_ids, texts }: StatementValues): RawBuilder<StoredRow> {
  return sql`${PREPARED}with sent as (
    select s.*, ${now}::timestamptz as now
    from unnest(${ids}::uuid[], ${chat_ids}::uuid[], ${sender_ids}::uuid[], ${texts}::text[])
      with ordinality as s (id, chat_id, sender_id, text, nth)),
  seen as materialized (
    select s.*, coalesce(u.display_name, ${sql.lit(DEFAULT_DISPLAY_NAME)}) as sender_name, m.seq, m.created_at, m.read_at,
      c.last_seq, c.latest_at, c.user_low, c.user_high,
      case
        when c.id is null then 'chat_not_found'
        when ${IS_BLOCKED} then 'chat_not_found'
        when m.chat_id <> s.chat_id or m.sender_id <> s.sender_id or m.text <> s.text then 'idempotency_mismatch'
        when m.id is not null then 'replay'
        when f.id is null then 'chat_closed'
        else 'stored'
      end as outcome
    from sent s
    left join lateral (select display_name from users where id = s.sender_id limit 1) u on true
    left join lateral (
      select * from chats where id = s.chat_id and s.sender_id in (user_low, user_high) limit 1) c on true
    left join lateral (
      select id from friendships where user_low = c.user_low and user_high = c.user_high limit 1) f on true
    left join lateral (select * from messages where id = s.id limit 1) m on true),
  placed as materialized (
    select w.nth, w.id, w.chat_id, w.sender_id, w.sender_name, w.text,
      w.last_seq + row_number() over (partition by w.chat_id order by w.nth) as seq,
      greatest(w.latest_at, w.now) as created_at,
      case w.sender_id when w.user_low then w.user_high else w.user_low end as receiver_id,
      w.sender_id = w.user_high as is_to_low
    from seen w where w.outcome = 'stored'),
  chat as (
    update chats set last_seq = p.last_seq, latest_at = p.latest_at,
      low_unread = low_unread + p.to_low, high_unread = high_unread + p.to_high
    from (
      select chat_id, max(seq) as last_seq, max(created_at) as latest_at,
        count(*) filter (where is_to_low) as to_low, count(*) filter (where not is_to_low) as to_high
      from placed group by chat_id) p
    where chats.id = p.chat_id),
  message as (
    insert into messages (id, chat_id, seq, sender_id, text, created_at)
    select id, chat_id, seq, sender_id, text, created_at from placed),
  told as materialized (
    select *, jsonb_build_object('type', 'message_created', 'message', jsonb_build_object(
      'id', id, 'chat_id', chat_id, 'seq', seq, 'message', text, 'sender_id', sender_id, 'sender_name', sender_name,
      'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'read_at', null)) as data
    from placed),
  event as materialized (
    select t.nth, t.sender_name, t.seq, t.created_at, t.data, e.user_id,
      count(*) over (partition by e.user_id) as total,
      row_number() over (partition by e.user_id order by t.nth) as place
    from told t cross join lateral (values (sender_id), (receiver_id)) e (user_id)
    where e.user_id <> ${sql.lit(DELETED_USER_ID)}),
  event_counter as (
    insert into user_event_counters (user_id, last_seq)
    select user_id, count(*) from event group by user_id order by user_id
    on conflict (user_id) do update set last_seq = user_event_counters.last_seq + excluded.last_seq
    returning user_id, last_seq),
  numbered as materialized (
    select * from (
      select *, max(last_seq) over (partition by user_id) - total + place as event_seq
      from (
        select nth, sender_name, seq, created_at, data, user_id, total, place, null::bigint as last_seq from event
        union all
        select null, null, null, null, null, user_id, null, null, last_seq from event_counter) e) e
    where nth is not null),
  kept_event as (
    insert into user_events (user_id, seq, type, data)
    select user_id, event_seq, 'message_created', data from numbered)
  select nth, 'stored' as outcome, sender_name, seq, created_at, null as read_at, user_id, event_seq from numbered
  union all
  select nth, outcome, sender_name, seq, created_at, read_at,
    case sender_id when user_low then user_high else user_low end, null
  from seen where outcome <> 'stored'`;
}
