import { sql } from 'kysely';

/**
 * The server's present life, as text without spaces. Transaction ids only rise within one life: after a crash, and on a
 * standby that was promoted, ids that never reached the log are handed out again. Asked in the statement that reads the
 * ids, so that both are of one life. Any user may ask.
 *
 * The start of the postmaster changes with every restart, the timeline with a promotion. A backend that is killed makes
 * the postmaster recover without a restart: only the statistics tell, which every recovery from a crash resets.
 */
export const SERVER_LIFE_SQL = `concat_ws('/',
  extract(epoch from pg_postmaster_start_time()),
  (select timeline_id from pg_control_checkpoint()),
  extract(epoch from pg_stat_get_bgwriter_stat_reset_time()))`;
export const SERVER_LIFE = sql.raw<string>(SERVER_LIFE_SQL);
