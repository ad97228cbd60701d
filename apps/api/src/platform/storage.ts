import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import type { Env } from '../env.ts';
import { defaultDataDir, startEmbeddedPostgres } from './embedded-postgres.ts';
import { loadOrCreateSecret } from './secrets.ts';
import { StartError } from './start-error.ts';

const PROJECT_ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Storage {
  database_url: string;
  secret: string;
  close(): Promise<void>;
}

/** The database of the settings, or the embedded one in the data folder; and the secret that goes with it. */
export async function openStorage(
  env: Env,
  logger: FastifyBaseLogger,
  role: 'app' | 'operator' = 'app',
): Promise<Storage> {
  const data_dir = env.DATA_DIR ?? defaultDataDir(PROJECT_ROOT);
  if (env.DATABASE_URL) {
    // Keys in a shared database are sealed with this secret: a second node must come with the same one.
    if (!env.SECRET) throw new StartError('SECRET: must be set beside DATABASE_URL, the same on every node');
    return { database_url: env.DATABASE_URL, secret: env.SECRET, close: async () => {} };
  }
  const postgres = await startEmbeddedPostgres({ data_dir, logger, role });
  const secret = env.SECRET ?? (await loadOrCreateSecret(data_dir));
  return { database_url: postgres.url, secret, close: () => postgres.stop() };
}
