import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '#api/database/embedded-postgres/embedded-postgres.ts';
import { migrate } from '#api/database/migrations.ts';

const NOT_DURABLE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '4GB' };
const logger = { info() {}, warn() {}, error() {} };

/** A folder of the bench's own, which the database's account can enter too. */
export interface Scratch {
  folder: string;
  /** Starts a PostgreSQL with an empty, migrated database; by default without durability, because it is discarded. */
  startDatabase(options?: { is_durable: boolean }): Promise<string>;
  /** Adds another migrated database to the running PostgreSQL. */
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
  // Otherwise the server would outlive this process.
  const giveUp = () => void remove().finally(() => process.exit(1));
  process.once('SIGINT', giveUp);
  process.once('SIGTERM', giveUp);
  return {
    folder,
    async startDatabase({ is_durable } = { is_durable: false }) {
      const settings = is_durable ? {} : NOT_DURABLE;
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
