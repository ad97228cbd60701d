import { buildApp } from './app.ts';
import { readEnv } from './env.ts';
import { loadStarterCenters } from './modules/sport-centers/import/starter.ts';
import { databaseErrorCode, isDatabaseUnavailable, openDatabase } from './platform/database.ts';
import { createLogger } from './platform/logger.ts';
import { migrate } from './platform/migrations.ts';
import { createSecrets } from './platform/secrets.ts';
import { closeOnSignal } from './platform/shutdown.ts';
import { StartError } from './platform/start-error.ts';
import { openStorage } from './platform/storage.ts';

/** What must not outlive a start that fails: the embedded database is a process of its own. Closed in this order. */
const opened: (() => Promise<void>)[] = [];

try {
  const env = readEnv(process.env);
  const logger = createLogger(env.LOG_LEVEL, process.stdout.isTTY);
  const storage = await openStorage(env, logger);
  opened.push(() => storage.close());
  const database = openDatabase(storage.database_url);
  opened.unshift(() => database.destroy());
  const migrations = await migrate(storage.database_url).catch(refuseDatabase);
  if (migrations.length > 0) logger.info({ migrations }, 'schema brought up to date');
  await loadStarterCenters(database);
  const readiness = { accepting: true };
  const app = await buildApp({
    env,
    database,
    database_url: storage.database_url,
    secrets: createSecrets(storage.secret),
    logger,
    readiness,
    is_map_prepared: true,
  });
  await app.listen({ port: env.PORT, host: env.HOST });
  closeOnSignal({ app, readiness, logger, afterwards: opened });
  process.stdout.write(`Sendlap is ready at ${env.PUBLIC_URL}\n`);
} catch (error) {
  for (const close of opened) await close().catch(() => {});
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`Sendlap cannot start: ${error.message}\n`);
  process.exit(1);
}

function refuseDatabase(error: unknown): never {
  if (isDatabaseUnavailable(error)) throw new StartError('DATABASE_URL: the database cannot be reached');
  // For example without the right to create extensions.
  if (error instanceof Error && databaseErrorCode(error)) {
    throw new StartError(`DATABASE_URL: the schema cannot be brought up to date: ${error.message}`);
  }
  throw error;
}
