import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '#api/platform/database.ts';

async function runOnServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: inject('database_server_url') });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A fresh, migrated database of one test file's own. `drop` also ends the connections that are still open to it. */
export async function createTestDatabase(): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(`CREATE DATABASE ${name} TEMPLATE template`);
  return {
    url: inject('database_server_url').replace('/sendlap?', `/${name}?`),
    drop: () => runOnServer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** The same with a pool open on it; `close` ends both. */
export async function openTestDatabase(): Promise<{ database: Database; url: string; close: () => Promise<void> }> {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase(url);
  return {
    database,
    url,
    async close() {
      await database.destroy();
      await drop();
    },
  };
}
