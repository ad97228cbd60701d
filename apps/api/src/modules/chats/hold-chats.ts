import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { PREPARED_AHEAD } from '#api/database/statement-pipeline.ts';

/** PostgreSQL's code of a lock that was not got in time. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** How long a call waits for what another transaction holds, unless told otherwise. */
export const PATIENCE_MS = 2_000;
/** The same for one group of messages, whose other chats must not wait. */
const GROUP_PATIENCE_MS = 200;
const HELD = sql.lit('sendlap.held_chats');

/**
 * Holds the rows of these chats, in the order of their ids, until the transaction ends. It goes with the next statement,
 * which then sees what is so under these locks: whoever ends a friendship or blocks holds the chat's row too. In this
 * transaction no statement waits for a lock for longer than `patience_ms` (the next one throws then), and no plan reads
 * a whole table.
 */
export async function holdChats(trx: Trx, chat_ids: string[], patience_ms: number): Promise<void> {
  await limitWaiting(trx, patience_ms);
  await sql`${PREPARED_AHEAD}select set_config(${HELD}, coalesce(string_agg(id::text, ','), ''), true) from (
    select id from chats where id = any(${chat_ids}::uuid[]) order by id for update) held`.execute(trx);
}

/** The same without those that somebody else holds just now; for what else is held it waits a fifth of a second. */
export async function holdFreeChats(trx: Trx, chat_ids: string[]): Promise<void> {
  await limitWaiting(trx, GROUP_PATIENCE_MS);
  await sql`${PREPARED_AHEAD}select set_config(${HELD}, coalesce(string_agg(id::text, ','), ''), true) from (
    select id from chats where id = any(${chat_ids}::uuid[]) order by id for update skip locked) held`.execute(trx);
}

/** The same without those, too, of whose participants somebody else holds the stream of events. */
export async function holdQuietChats(trx: Trx, chat_ids: string[]): Promise<void> {
  await limitWaiting(trx, GROUP_PATIENCE_MS);
  await sql`${PREPARED_AHEAD}with chat as materialized (
    select id, user_low, user_high from chats where id = any(${chat_ids}::uuid[]) order by id for update skip locked),
  person as materialized (select user_low as user_id from chat union select user_high from chat),
  busy as materialized (
    select p.user_id from person p
    join lateral (select user_id from user_event_counters where user_id = p.user_id limit 1) there on true
    left join lateral (
      select user_id from user_event_counters where user_id = p.user_id limit 1 for update skip locked) free on true
    where free.user_id is null)
  select set_config(${HELD}, coalesce(string_agg(id::text, ','), ''), true) from chat
  where user_low not in (select user_id from busy) and user_high not in (select user_id from busy)`.execute(trx);
}

/** The ids of the chats that this transaction holds: what a statement of no result can tell the next one. */
export const HELD_CHATS: RawBuilder<string[]> =
  sql`(select string_to_array(current_setting(${HELD}, true), ',')::uuid[])::uuid[]`;

/** One statement sets both, for every one of them costs the database some time. */
async function limitWaiting(trx: Trx, patience_ms: number): Promise<void> {
  await sql`${PREPARED_AHEAD}
    select set_config('lock_timeout', ${sql.lit(`${patience_ms}ms`)}, true), set_config('enable_seqscan', 'off', true)`.execute(
    trx,
  );
}
