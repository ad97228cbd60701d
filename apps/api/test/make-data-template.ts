/**
 * Makes the data folder in argv as a server's first start does, up to its schema and its first centers. Without the
 * secret, and without what is sealed with it: each server on a copy makes its own.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadStarterCenters } from '#api/modules/sport-centers/import/starter.ts';
import { openDatabase } from '#api/platform/database.ts';
import { startEmbeddedPostgres } from '#api/platform/embedded-postgres.ts';
import { migrate } from '#api/platform/migrations.ts';

const logger = { info() {}, warn() {}, error() {} };
/** Speed before durability: it is copied once this process has ended well, else never. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const [data_dir = ''] = process.argv.slice(2);
const postgres = await startEmbeddedPostgres({ data_dir, logger, settings: SETTINGS });
try {
  await migrate(postgres.url);
  const database = openDatabase(postgres.url);
  await loadStarterCenters(database).finally(() => database.destroy());
} finally {
  await postgres.stop();
}
await rm(join(data_dir, 'postgres.log'), { force: true });
