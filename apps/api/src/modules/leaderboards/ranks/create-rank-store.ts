import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Env } from '#api/env.ts';
import type { Database } from '#api/platform/database.ts';
import { createMemoryRanks } from './memory-ranks.ts';
import type { RankStore } from './rank-store.ts';

interface Options {
  env: Pick<Env, 'REDIS_URL'>;
  database: Database;
  log: { warn(fields: object, text: string): void };
}

/** The boards of this process, or with REDIS_URL those that all nodes on this database share. */
export async function createRankStore({ env, database, log }: Options): Promise<RankStore> {
  if (env.REDIS_URL === undefined) return createMemoryRanks({ log });
  // Loaded only where it is used: the driver is large.
  const { createRedisRanks } = await import('./redis-ranks.ts');
  const id = await identify(database);
  // The braces keep all keys on one node of a Redis Cluster, as scripts need it.
  return createRedisRanks({ url: env.REDIS_URL, prefix: `sendlap:{${id}}:`, log });
}

/**
 * Differs between any two databases whose transactions are numbered apart: also between one and its restored copy, which
 * carries the same rows to another cluster, another database or another timeline.
 */
async function identify(database: Database): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select concat_ws(' ', version.database_id, own.oid, cluster.system_identifier, checkpoint.timeline_id) as id
    from sport_center_version as version, pg_database as own, pg_control_system() as cluster,
      pg_control_checkpoint() as checkpoint
    where own.datname = current_database()`.execute(database);
  return createHash('sha256')
    .update(rows[0]?.id ?? '')
    .digest('hex')
    .slice(0, 16);
}
