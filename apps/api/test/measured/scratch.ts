import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#api/database/embedded-postgres/embedded-postgres.ts';
import { migrate } from '#api/database/migrations.ts';

const logger = { info() {}, warn() {}, error() {} };

/** A folder of the bench's own that the database's account can enter too. */
export interface Scratch {
  folder: string;
  /** An empty database with the tables, on a PostgreSQL of its own. Durability is left out: it is thrown away. */
  startDatabase(): Promise<string>;
  /** Another one with the tables, on the same PostgreSQL, once it is there. */
  addDatabase(name: string): Promise<string>;
  /** Ends the server and removes the folder. */
  remove(): Promise<void>;
}

export function openScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'sendlap-bench-'));
  chmodSync(folder, 0o711);
  let stop = async (): Promise<void> => {};
  let server_url = '';
  const remove = async (): Promise<void> => {
    await stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  // The server outlives a process that just ends.
  const giveUp = () => void remove().finally(() => process.exit(1));
  process.once('SIGINT', giveUp);
  process.once('SIGTERM', giveUp);
  return {
    folder,
    async startDatabase() {
      const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '4GB' };
      const postgres = await startEmbeddedPostgres({ data_dir: join(folder, 'data'), logger, settings });
      stop = postgres.stop;
      server_url = postgres.url;
      await migrate(postgres.url);
      return postgres.url;
    },
    async addDatabase(name) {
      const client = new Client({ connectionString: server_url });
      await client.connect();
      try {
        await client.query(`create database ${name}`);
      } finally {
        await client.end();
      }
      const url = server_url.replace('/sendlap?', `/${name}?`);
      await migrate(url);
      return url;
    },
    async remove() {
      process.off('SIGINT', giveUp);
      process.off('SIGTERM', giveUp);
      await remove();
    },
  };
}
