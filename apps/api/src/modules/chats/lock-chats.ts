import { sql } from 'kysely';
import type { Trx } from '#api/database/database.ts';
import { PREPARED_DEFERRED } from '#api/database/statement-pipeline.ts';

/** PostgreSQL's `lock_not_available`: lock timeout. */
export const LOCK_NOT_AVAILABLE = '55P03';
/** Default time a call waits for a lock of another transaction. */
export const LOCK_WAIT_MS = 2_000;
/** The same for a batch of messages: one locked chat delays the others. */
export const BATCH_LOCK_WAIT_MS = 200;

/**
 * Locks the rows of these chats, in the order of their ids, until the transaction ends. Sent ahead of the next
 * statement, which then reads under these locks: ending a friendship and blocking lock the chat's row too. In this
 * transaction a lock wait longer than `max_wait_ms` makes the next statement throw, and no plan scans a whole table.
 */
export async function lockChats(trx: Trx, chat_ids: string[], max_wait_ms: number): Promise<void> {
  await setLockTimeout(trx, max_wait_ms);
  await sql`${PREPARED_DEFERRED}select count(*) from (
    select id from chats where id = any(${chat_ids}::uuid[]) order by id for update) locked`.execute(trx);
}

/** One statement sets both, because every statement costs the database time. */
async function setLockTimeout(trx: Trx, max_wait_ms: number): Promise<void> {
  await sql`${PREPARED_DEFERRED}
    select set_config('lock_timeout', ${sql.lit(`${max_wait_ms}ms`)}, true), set_config('enable_seqscan', 'off', true)`.execute(
    trx,
  );
}
