import { chownSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#api/database/embedded-postgres/embedded-postgres.ts';
import { makeDatabaseFolder } from './throw-away-server.ts';

const logger = { info() {}, warn() {}, error() {} };
/** Speed before durability: this server's data is discarded. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off' };

/** Starts a PostgreSQL that waits for the changes of a primary server; `close` stops it and deletes its data. */
export async function openStandbyPostgres(): Promise<{ url: string; close: () => Promise<void> }> {
  const folder = makeDatabaseFolder();
  const data_dir = join(folder, 'data');
  const start = () => startEmbeddedPostgres({ data_dir, logger, settings: SETTINGS });
  await (await start()).stop();
  const signal = join(data_dir, 'postgres', 'standby.signal');
  writeFileSync(signal, '');
  const { uid, gid } = statSync(join(data_dir, 'postgres'));
  chownSync(signal, uid, gid);
  const { url, stop } = await start();
  return {
    url,
    async close() {
      await stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}
