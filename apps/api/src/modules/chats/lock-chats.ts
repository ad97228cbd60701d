import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { PREPARED_DEFERRED } from '#api/database/statement-pipeline.ts';

/** PostgreSQL's `lock_not_available`: lock timeout. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** Default time a call waits for a lock of another transaction. */
export const LOCK_WAIT_MS = 2_000;
/** The same for a batch of messages, so that one locked chat does not delay the others. */
const BATCH_LOCK_WAIT_MS = 200;
const LOCKED_CHATS_SETTING = sql.lit('sendlap.held_chats');

/**
 * Locks the rows of these chats, in the order of their ids, until the transaction ends. Sent ahead of the next
 * statement, which then reads under these locks: ending a friendship and blocking lock the chat's row too. In this
 * transaction a lock wait longer than `max_wait_ms` makes the next statement throw, and no plan scans a whole table.
 */
export async function lockChats(trx: Trx, chat_ids: string[], max_wait_ms: number): Promise<void> {
  await setLockTimeout(trx, max_wait_ms);
  await sql`${PREPARED_DEFERRED}select set_config(${LOCKED_CHATS_SETTING}, coalesce(string_agg(id::text, ','), ''), true) from (
    select id from chats where id = any(${chat_ids}::uuid[]) order by id for update) held`.execute(trx);
}

/** The same, but skips chats locked by another transaction; waits 0.2 s for any other lock. */
export async function lockAvailableChats(trx: Trx, chat_ids: string[]): Promise<void> {
  await setLockTimeout(trx, BATCH_LOCK_WAIT_MS);
  await sql`${PREPARED_DEFERRED}select set_config(${LOCKED_CHATS_SETTING}, coalesce(string_agg(id::text, ','), ''), true) from (
    select id from chats where id = any(${chat_ids}::uuid[]) order by id for update skip locked) held`.execute(trx);
}

/** The same, but also skips chats if another transaction has locked the event stream of a participant. */
export async function lockUncontendedChats(trx: Trx, chat_ids: string[]): Promise<void> {
  await setLockTimeout(trx, BATCH_LOCK_WAIT_MS);
  await sql`${PREPARED_DEFERRED}with chat as materialized (
    select id, user_low, user_high from chats where id = any(${chat_ids}::uuid[]) order by id for update skip locked),
  person as materialized (select user_low as user_id from chat union select user_high from chat),
  busy as materialized (
    select p.user_id from person p
    join lateral (select user_id from user_event_counters where user_id = p.user_id limit 1) there on true
    left join lateral (
      select user_id from user_event_counters where user_id = p.user_id limit 1 for update skip locked) free on true
    where free.user_id is null)
  select set_config(${LOCKED_CHATS_SETTING}, coalesce(string_agg(id::text, ','), ''), true) from chat
  where user_low not in (select user_id from busy) and user_high not in (select user_id from busy)`.execute(trx);
}

/**
 * The ids of the chats locked by this transaction: passed through a setting, because the locking statement's result is
 * unused.
 */
export const LOCKED_CHAT_IDS: RawBuilder<string[]> =
  sql`(select string_to_array(current_setting(${LOCKED_CHATS_SETTING}, true), ',')::uuid[])::uuid[]`;

/** One statement sets both, because every statement costs the database time. */
async function setLockTimeout(trx: Trx, max_wait_ms: number): Promise<void> {
  await sql`${PREPARED_DEFERRED}
    select set_config('lock_timeout', ${sql.lit(`${max_wait_ms}ms`)}, true), set_config('enable_seqscan', 'off', true)`.execute(
    trx,
  );
}
