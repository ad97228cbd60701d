import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { Database } from '#api/database/database.ts';
import { startEmbeddedPostgres } from '#api/database/embedded-postgres/embedded-postgres.ts';
import { migrate } from '#api/database/migrations.ts';
import { buildTestApp, type TestApp, type TestAppOptions } from '../app/app.ts';

/**
 * Starts the whole app on a new PostgreSQL as `npm start` does, until the process that forked this one ends. `seed`
 * fills the database before the app starts on it.
 */
export async function openScene(
  env: Record<string, string> = {},
  seed?: (database: Database) => Promise<void>,
  options: TestAppOptions = {},
): Promise<TestApp> {
  // The server itself creates the folder, with the rights that its database needs.
  const data_dir = join(tmpdir(), `sendlap-bench-${randomUUID()}`);
  const postgres = await startEmbeddedPostgres({ data_dir, logger: pino({ level: 'silent' }) });
  const stop = async (app: TestApp | undefined, code: number): Promise<never> => {
    await app?.close();
    await postgres.stop();
    await rm(data_dir, { recursive: true, force: true });
    process.exit(code);
  };
  try {
    await migrate(postgres.url);
    const app = await buildTestApp({ ...options, database_url: postgres.url, listen: true, env, seed });
    process.on('disconnect', () => void stop(app, 0));
    process.on('SIGTERM', () => void stop(app, 0));
    return app;
  } catch (error) {
    console.error(error);
    return await stop(undefined, 1);
  }
}
