import { buildApp } from './app.ts';
import { readEnv } from './env.ts';
import { loadStarterCenters } from './modules/sport-centers/import/starter.ts';
import { isDatabaseUnavailable, openDatabase } from './platform/database.ts';
import { createLogger } from './platform/logger.ts';
import { migrateDatabase } from './platform/migrations.ts';
import { createSecrets } from './platform/secrets.ts';
import { closeOnSignal } from './platform/shutdown.ts';
import { StartError } from './platform/start-error.ts';
import { openStorage } from './platform/storage.ts';

try {
  const env = readEnv(process.env);
  const logger = createLogger(env.LOG_LEVEL, process.stdout.isTTY);
  const storage = await openStorage(env, logger);
  const database = openDatabase(storage.database_url);
  const migrations = await migrateDatabase(database).catch(refuseUnreachable);
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
  });
  await app.listen({ port: env.PORT, host: env.HOST });
  closeOnSignal({ app, readiness, logger, afterwards: [() => database.destroy(), () => storage.close()] });
  process.stdout.write(`Sendlap is ready at ${env.PUBLIC_URL}\n`);
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(`Sendlap cannot start: ${error.message}\n`);
  process.exit(1);
}

function refuseUnreachable(error: unknown): never {
  if (isDatabaseUnavailable(error)) throw new StartError('DATABASE_URL: the database cannot be reached');
  throw error;
}
