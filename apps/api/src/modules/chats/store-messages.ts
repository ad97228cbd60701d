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

interface AcceptedRow {
  /** Number of the message in the batch, from 1. */
  nth: number;
  sender_name: string;
  seq: number;
  created_at: Date;
  read_at: Date | null;
}

/** The outcome of a message. A stored message has a row for each participant who has an event stream. */
export type OutcomeRow =
  /** `user_id`: owner of the event stream; `event_seq`: number of the event there. */
  | (AcceptedRow & { outcome: 'stored'; user_id: string; event_seq: number })
  /** It was stored before; `user_id`: the receiver. */
  | (AcceptedRow & { outcome: 'replay'; user_id: string })
  | { nth: number; outcome: 'idempotency_mismatch' | 'chat_not_found' | 'chat_closed' };

interface StoreOptions {
  now: Date;
  /** Of each lock. */
  lock_timeout_ms: number;
}

/**
 * Writes messages with different ids in one statement: permissions, numbers, unread counters, and the events of both
 * participants. Locks the chats first, then the stream counters in the order of the users' ids.
 */
export function storeMessages(
  database: Database,
  messages: NewMessage[],
  { now, lock_timeout_ms }: StoreOptions,
): Promise<OutcomeRow[]> {
  return database.transaction().execute(async (trx) => {
    await lockChats(trx, [...new Set(messages.map(({ chat_id }) => chat_id))], lock_timeout_ms);
    const { rows } = await trx.executeQuery(messagesStatement(trx, messages, now));
    return rows;
  });
}

/** Cached: building the statement costs more than sending it, and its text never changes. */
let statement_text: string | undefined;

/** The statement of a batch; a test reads its plan. */
export function messagesStatement(
  executor: Database | Trx,
  messages: NewMessage[],
  now: Date,
): CompiledQuery<OutcomeRow> {
  const values = {
    now,
    ids: messages.map(({ id }) => id),
    chat_ids: messages.map(({ chat_id }) => chat_id),
    sender_ids: messages.map(({ sender_id }) => sender_id),
    texts: messages.map(({ text }) => text),
  };
  statement_text ??= buildStatement(values).compile(executor).sql;
  // Values in the order of the statement's parameters.
  return CompiledQuery.raw(statement_text, Object.values(values)) as CompiledQuery<OutcomeRow>;
}

interface StatementValues {
  now: Date;
  ids: string[];
  chat_ids: string[];
  sender_ids: string[];
  texts: string[];
}

/**
 * Its plan is cached per connection, perhaps while the tables are empty. So it looks each id up by itself (`limit`), scans
 * no whole table and does not join the rows that it makes: the planner estimates one row and would compare all pairs.
 */
function buildStatement({ now, ids, chat_ids, sender_ids, texts }: StatementValues): RawBuilder<OutcomeRow> {
  return sql`${PREPARED}with sent as (
    select s.*, ${now}::timestamptz as now
    from unnest(${ids}::uuid[], ${chat_ids}::uuid[], ${sender_ids}::uuid[], ${texts}::text[])
      with ordinality as s (id, chat_id, sender_id, text, nth)),
  checked as materialized (
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
  numbered_message as materialized (
    select nth, id, chat_id, sender_id, sender_name, text,
      last_seq + row_number() over (partition by chat_id order by nth) as seq,
      greatest(latest_at, now) as created_at,
      case sender_id when user_low then user_high else user_low end as receiver_id,
      sender_id = user_high as is_to_low
    from checked where outcome = 'stored'),
  chat as (
    update chats set last_seq = p.last_seq, latest_at = p.latest_at,
      low_unread = low_unread + p.to_low, high_unread = high_unread + p.to_high
    from (
      select chat_id, max(seq) as last_seq, max(created_at) as latest_at,
        count(*) filter (where is_to_low) as to_low, count(*) filter (where not is_to_low) as to_high
      from numbered_message group by chat_id) p
    where chats.id = p.chat_id),
  message as (
    insert into messages (id, chat_id, seq, sender_id, text, created_at)
    select id, chat_id, seq, sender_id, text, created_at from numbered_message),
  with_data as materialized (
    select *, jsonb_build_object('type', 'message_created', 'message', jsonb_build_object(
      'id', id, 'chat_id', chat_id, 'seq', seq, 'message', text, 'sender_id', sender_id, 'sender_name', sender_name,
      'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'read_at', null)) as data
    from numbered_message),
  event as materialized (
    select t.nth, t.sender_name, t.seq, t.created_at, t.data, e.user_id,
      count(*) over (partition by e.user_id) as total,
      row_number() over (partition by e.user_id order by t.nth) as nth_of_user
    from with_data t cross join lateral (values (sender_id), (receiver_id)) e (user_id)
    where e.user_id <> ${sql.lit(DELETED_USER_ID)}),
  event_counter as (
    insert into user_event_counters (user_id, last_seq)
    select user_id, count(*) from event group by user_id order by user_id
    on conflict (user_id) do update set last_seq = user_event_counters.last_seq + excluded.last_seq
    returning user_id, last_seq),
  numbered as materialized (
    select * from (
      select *, max(last_seq) over (partition by user_id) - total + nth_of_user as event_seq
      from (
        select nth, sender_name, seq, created_at, data, user_id, total, nth_of_user, null::bigint as last_seq from event
        union all
        select null, null, null, null, null, user_id, null, null, last_seq from event_counter) e) e
    where nth is not null),
  inserted_event as (
    insert into user_events (user_id, seq, type, data)
    select user_id, event_seq, 'message_created', data from numbered)
  select nth, 'stored' as outcome, sender_name, seq, created_at, null as read_at, user_id, event_seq from numbered
  union all
  select nth, outcome, sender_name, seq, created_at, read_at,
    case sender_id when user_low then user_high else user_low end, null
  from checked where outcome <> 'stored'`;
}
