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
