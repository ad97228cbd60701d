import type { Env } from '#api/env.ts';
import type { Database } from '#api/platform/database.ts';
import { redisPrefix } from '#api/platform/database-identity.ts';
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
  return createRedisRanks({ url: env.REDIS_URL, prefix: await redisPrefix(database), log });
}
