import { MESSAGE_PAGE_SIZE } from '@sendlap/domain/messages.ts';
import { DEFAULT_DISPLAY_NAME } from '@sendlap/domain/names.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Trx } from '#api/database/database.ts';
import { DELETED_USER_ID } from '#api/database/deleted-user.ts';
import { PREPARED } from '#api/database/statement-pipeline.ts';
import type { ChatRow } from './present.ts';

/** Condition: this user is in the chat `c`, and no block on either side hides it. */
export function isChatVisibleTo(user_id: string): RawBuilder<boolean> {
  return sql<boolean>`(${user_id} in (c.user_low, c.user_high) and not ${IS_BLOCKED})`;
}

/**
 * Condition: one participant of the chat `c` has blocked the other. Avoids `exists`: for that the planner may read all
 * blocks at once while they are few, and keep that plan.
 */
export const IS_BLOCKED = sql<boolean>`coalesce(
  (select true from blocks b where b.blocker_id = c.user_low and b.blocked_id = c.user_high limit 1),
  (select true from blocks b where b.blocker_id = c.user_high and b.blocked_id = c.user_low limit 1), false)`;

/** Column of one participant of the chat `c`: the user's own, or the other participant's. */
const participantColumn = (user_id: string, low: string, high: string) =>
  sql`case c.user_low when ${user_id} then ${sql.ref(low)} else ${sql.ref(high)} end`;

/** Lists a user's chats, latest message first, or only `chat_id`; leaves out chats that a block hides. */
export async function listChats(executor: Database | Trx, user_id: string, chat_id?: string): Promise<ChatRow[]> {
  const { rows } = await sql<ChatRow>`
    select c.id, c.last_seq, c.unread, c.created_by = me.id as is_mine, f.id is not null as can_send,
      me.id as my_id, coalesce(me.display_name, ${DEFAULT_DISPLAY_NAME}) as my_name, me.public_id as my_public_id,
      other.id as other_id, coalesce(other.display_name, ${DEFAULT_DISPLAY_NAME}) as other_name, other.public_id as other_public_id,
      latest.text as latest_text, c.latest_at, latest.sender_id as latest_sender_id
    from (
      select c.*, ${participantColumn(user_id, 'c.low_unread', 'c.high_unread')} as unread,
        ${participantColumn(user_id, 'c.user_high', 'c.user_low')} as other_id
      from chats c
      where (c.user_low = ${user_id} or c.user_high = ${user_id})
        and ${chat_id === undefined ? sql`true` : sql`c.id = ${chat_id}`} and not ${IS_BLOCKED}) c
    join users me on me.id = ${user_id}
    join users other on other.id = c.other_id
    left join friendships f on f.user_low = c.user_low and f.user_high = c.user_high
    left join lateral (
      select m.text, m.sender_id from messages m where m.chat_id = c.id and m.seq = c.last_seq
    ) latest on true
    order by c.latest_at desc nulls last, c.created_at desc, c.id`.execute(executor);
  return rows;
}

/** Returns the chat of two users, unless a block hides it. */
export async function findChatBetween(
  executor: Database | Trx,
  one: string,
  other: string,
): Promise<string | undefined> {
  // PostgreSQL orders UUIDs as their lower-case texts.
  const [low, high] = [one, other].sort();
  const { rows } = await sql<{ id: string }>`
    select c.id from chats c
    where c.user_low = ${low} and c.user_high = ${high}
      and c.user_low <> ${sql.lit(DELETED_USER_ID)} and c.user_high <> ${sql.lit(DELETED_USER_ID)}
      and not ${IS_BLOCKED}`.execute(executor);
  return rows[0]?.id;
}

/** Adds the chat of two friends. Returns false if it exists or they are not friends. */
export async function insertChat(
  trx: Trx,
  chat: { id: string; by: string; with: string; now: Date },
): Promise<boolean> {
  const [low, high] = [chat.by, chat.with].sort();
  const { rows } = await sql<{ id: string }>`
    insert into chats (id, user_low, user_high, created_by, created_at)
    select ${chat.id}::uuid, user_low, user_high, ${chat.by}::uuid, ${chat.now}::timestamptz
    from friendships where user_low = ${low} and user_high = ${high}
    on conflict (user_low, user_high)
      where user_low <> ${sql.lit(DELETED_USER_ID)} and user_high <> ${sql.lit(DELETED_USER_ID)}
    do nothing returning id`.execute(trx);
  return rows.length > 0;
}

export interface MessagePageRequest {
  limit: number;
  offset: number;
  before?: number | undefined;
  after?: number | undefined;
}

const isoTime = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** SQL of a message `m` of the chat `c` as JSON, byte by byte what `JSON.stringify` writes of a `Message`. */
const MESSAGE_JSON = sql`concat('{"id":"', m.id, '","chat_id":"', c.id, '","seq":', m.seq, ',"message":', to_json(m.text),
    ',"sender_id":"', m.sender_id, '","sender_name":', case m.sender_id when c.user_low then c.low_name else c.high_name end,
    ',"created_at":"', ${isoTime('m.created_at')}, '","read_at":', coalesce('"' || ${isoTime('m.read_at')} || '"', 'null'), '}')`;

const nameOf = (person: string) =>
  sql`to_json(coalesce((select display_name from users where id = ${sql.ref(person)}), ${sql.lit(DEFAULT_DISPLAY_NAME)}))`;

/**
 * Returns a page of the chat's messages, ascending, as JSON; undefined unless the chat is open to this user. The limit is
 * part of the text: for an unknown limit PostgreSQL assumes a tenth of the chat and tends to plan each page again. Only
 * the usual limit is prepared, because each text takes memory in every connection.
 */
export async function listMessages(
  database: Database,
  user_id: string,
  { chat_id, ...page }: MessagePageRequest & { chat_id: string },
): Promise<string | undefined> {
  const { rows } = await sql<{ page: string }>`${page.limit === MESSAGE_PAGE_SIZE ? PREPARED : sql.raw('')}
    select '[' || coalesce(string_agg(${MESSAGE_JSON}, ',' order by m.seq) filter (where m.id is not null), '') || ']' as page
    from (
      select c.id, c.last_seq, c.user_low, ${nameOf('c.user_low')} as low_name, ${nameOf('c.user_high')} as high_name
      from chats c where c.id = ${chat_id} and ${isChatVisibleTo(user_id)} limit 1) c
    left join lateral (
      select id, seq, text, sender_id, created_at, read_at
      from messages where chat_id = c.id and ${pageCondition(page)}) m on true
    group by c.id`.execute(database);
  return rows[0]?.page;
}

/**
 * Numbers have no gaps, so a page is a range of them, and all pages cost the same. A mere `limit` does not: PostgreSQL
 * expects as few messages as most chats have, and would read and sort a whole long chat.
 */
function pageCondition({ offset, before, after, limit }: MessagePageRequest): RawBuilder<unknown> {
  if (after !== undefined) return sql`seq > ${after}::bigint and seq <= ${after}::bigint + ${sql.lit(limit)}`;
  const last =
    before === undefined ? sql`c.last_seq - ${offset}::bigint` : sql`least(${before}::bigint - 1, c.last_seq)`;
  return sql`seq <= ${last} and seq > ${last} - ${sql.lit(limit)}`;
}

export interface ChatAccess {
  user_low: string;
  user_high: string;
  is_friend: boolean;
}

/** Returns the participants of a chat; undefined unless it is open to this user. */
export async function findChatAccess(
  database: Database,
  user_id: string,
  chat_id: string,
): Promise<ChatAccess | undefined> {
  const { rows } = await sql<ChatAccess>`${PREPARED}
    select c.user_low, c.user_high, exists (
      select from friendships f where f.user_low = c.user_low and f.user_high = c.user_high) as is_friend
    from chats c where c.id = ${chat_id} and ${isChatVisibleTo(user_id)}`.execute(database);
  return rows[0];
}
