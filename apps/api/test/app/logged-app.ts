import { Writable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { buildApp } from '#api/app.ts';
import type { Database } from '#api/database/database.ts';
import { createSecrets } from '#api/database/secrets.ts';
import { readEnv } from '#api/platform/env.ts';
import { createLogger } from '#api/platform/logger.ts';
import { createTestDatabase } from '../database/database.ts';
import { openPatientDatabase } from '../database/patient-database.ts';

export interface LoggedApp {
  app: FastifyInstance;
  database: Database;
  /** Returns everything logged so far, as in the operator's log file. */
  log(): string;
  close(): Promise<void>;
}

/** The whole app on a database of its own, with the server's own logger at its most verbose level. */
export async function buildLoggedApp(variables: Record<string, string> = {}): Promise<LoggedApp> {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const own = await createTestDatabase();
  const database = openPatientDatabase(own.url);
  const app = await buildApp({
    env: readEnv(variables),
    database,
    database_url: own.url,
    secrets: createSecrets('a secret for tests, at least 32 characters long'),
    logger: createLogger('trace', false, destination),
  });
  await app.ready();
  return {
    app,
    database,
    log: () => lines.join(''),
    async close() {
      await app.close();
      await database.destroy();
      await own.drop();
    },
  };
}
