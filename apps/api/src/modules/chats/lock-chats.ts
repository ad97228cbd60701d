import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { PREPARED_DEFERRED } from '#api/database/statement-pipeline.ts';

/** PostgreSQL's `lock_not_available`: lock timeout. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** Default time that a call waits for each lock. */
export const LOCK_TIMEOUT_MS = 2_000;
/** Of a batch of messages; shorter, because one locked chat delays all of them. */
export const BATCH_LOCK_TIMEOUT_MS = 200;

/**
 * Locks the rows of these chats, in the order of their ids, until the transaction ends. Sent ahead of the next
 * statement, which then reads under these locks: ending a friendship and blocking lock the chat's row too. In this
 * transaction a lock wait longer than `lock_timeout_ms` makes the next statement throw, and sequential scans are discouraged.
 */
export async function lockChats(trx: Trx, chat_ids: string[], lock_timeout_ms: number): Promise<void> {
  await setTransactionOptions(trx, lock_timeout_ms);
  await sql`${PREPARED_DEFERRED}select count(*) from (
    select id from chats where id = any(${chat_ids}::uuid[]) order by id for update) locked`.execute(trx);
}

/** One statement sets both, because every statement costs the database time. */
async function setTransactionOptions(trx: Trx, lock_timeout_ms: number): Promise<void> {
  await sql`${PREPARED_DEFERRED}
    select set_config('lock_timeout', ${sql.lit(`${lock_timeout_ms}ms`)}, true), set_config('enable_seqscan', 'off', true)`.execute(
    trx,
  );
}
