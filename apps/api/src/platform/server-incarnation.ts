import { sql } from 'kysely';

/**
 * SQL for the server's current incarnation, as text without spaces, for any database user. After a crash and on a
 * promoted standby, transaction ids that never reached the log are assigned again, so they only compare within one
 * incarnation: query it in the statement that reads the ids.
 */
// The postmaster's start time changes with every restart, the timeline with a promotion. After a killed backend the
// postmaster recovers without a restart, which only the statistics show: every crash recovery resets them.
export const SERVER_INCARNATION_SQL = `concat_ws('/',
  extract(epoch from pg_postmaster_start_time()),
  (select timeline_id from pg_control_checkpoint()),
  extract(epoch from pg_stat_get_bgwriter_stat_reset_time()))`;
export const SERVER_INCARNATION = sql.raw<string>(SERVER_INCARNATION_SQL);
