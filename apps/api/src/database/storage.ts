import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyBaseLogger } from 'fastify';
import type { Env } from '../platform/env.ts';
import { StartError } from '../platform/start-error.ts';
import { defaultDataDir, hasCluster, startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts';
import { loadOrCreateSecret, readSecret } from './secrets.ts';

const PROJECT_ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Storage {
  database_url: string;
  secret: string;
  /** The database's location for the operator: the setting or the data folder. */
  location: string;
  close(): Promise<void>;
}

/** The folder of everything that this installation keeps outside the database. */
export function dataDir({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): string {
  return DATA_DIR ?? defaultDataDir(PROJECT_ROOT);
}

/** Opens the configured database, or the embedded one in the data folder, with its secret. */
export async function openStorage(
  env: Env,
  logger: FastifyBaseLogger,
  role: 'app' | 'operator' = 'app',
): Promise<Storage> {
  const data_dir = dataDir(env);
  if (env.DATABASE_URL) {
    // Keys in a shared database are encrypted with this secret: every node needs the same one.
    if (!env.SECRET) throw new StartError('SECRET: must be set beside DATABASE_URL, the same on every node');
    return { database_url: env.DATABASE_URL, secret: env.SECRET, location: 'DATABASE_URL', close: async () => {} };
  }
  if (!env.SECRET) await assertSecretExists(data_dir);
  const onNewCluster = async () => void (env.SECRET ?? (await loadOrCreateSecret(data_dir)));
  const postgres = await startEmbeddedPostgres({ data_dir, bin_dir: env.POSTGRES_BIN, logger, role, onNewCluster });
  const secret = env.SECRET ?? (await loadOrCreateSecret(data_dir));
  return { database_url: postgres.url, secret, location: `DATA_DIR ${data_dir}`, close: () => postgres.stop() };
}

/** Opens the database for a verb of the operator CLI, which may run beside the app. */
export async function withStorage<Value>(
  env: Env,
  logger: FastifyBaseLogger,
  work: (storage: Storage) => Promise<Value>,
): Promise<Value> {
  const storage = await openStorage(env, logger, 'operator');
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}

/**
 * Returns a line for the operator if opening the storage would make a new database: a verb that runs without the settings
 * of the server finds none of its data.
 */
export function describeNewDatabase(env: Env): string | undefined {
  const data_dir = dataDir(env);
  if (env.DATABASE_URL || hasCluster(data_dir)) return undefined;
  return `DATA_DIR ${data_dir}: here is no database yet, and a new one is made. A server that has its data elsewhere needs its settings here too.`;
}

/** The secret is written before a new database gets its name: a database without a secret has lost it. */
async function assertSecretExists(data_dir: string): Promise<void> {
  if (!hasCluster(data_dir) || (await readSecret(data_dir))) return;
  throw new StartError(
    `The secret ${join(data_dir, 'secret')} is gone, and the data beside it was sealed with it: put it back from a backup, set SECRET to it, or set DATA_DIR to an empty folder`,
  );
}
