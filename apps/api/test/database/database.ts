import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { copyTemplate, type DatabaseCopy } from './database-copy.ts';
import { openPatientDatabase } from './patient-database.ts';

/** Creates a fresh, migrated database for one test file. `drop` also ends the connections to it that are still open. */
export function createTestDatabase(): Promise<DatabaseCopy> {
  return copyTemplate(inject('database_server_url'), `test_${randomUUID().replaceAll('-', '')}`);
}

/** As `createTestDatabase`, with an open pool; `close` ends both. */
export async function openTestDatabase(): Promise<{ database: Database; url: string; close: () => Promise<void> }> {
  const { url, drop } = await createTestDatabase();
  const database = openPatientDatabase(url);
  return {
    database,
    url,
    async close() {
      await database.destroy();
      await drop();
    },
  };
}
