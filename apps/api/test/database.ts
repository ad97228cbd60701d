import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { Database } from '#api/database/database.ts';
import { copyTemplate, type DatabaseCopy } from './database-copy.ts';
import { openPatientDatabase } from './patient-database.ts';

/** A fresh, migrated database of one test file's own. `drop` also ends the connections that are still open to it. */
export function createTestDatabase(): Promise<DatabaseCopy> {
  return copyTemplate(inject('database_server_url'), `test_${randomUUID().replaceAll('-', '')}`);
}

/** The same with a pool open on it; `close` ends both. */
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
