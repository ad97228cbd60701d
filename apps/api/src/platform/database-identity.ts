import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';

/**
 * Begins all names that the nodes on this database use in Redis. Differs between any two databases whose transactions are
 * numbered apart: also between one and its restored copy, which carries the same rows to another cluster, another database
 * or another timeline.
 */
export async function redisPrefix(database: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select concat_ws(' ', version.database_id, own.oid, cluster.system_identifier, checkpoint.timeline_id) as id
    from sport_center_version as version, pg_database as own, pg_control_system() as cluster,
      pg_control_checkpoint() as checkpoint
    where own.datname = current_database()`.execute(database);
  const id = createHash('sha256')
    .update(rows[0]?.id ?? '')
    .digest('hex')
    .slice(0, 16);
  // The braces keep all keys on one node of a Redis Cluster, as scripts need it.
  return `sendlap:{${id}}:`;
}

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
