import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#api/database/embedded-postgres/embedded-postgres.ts';
import { migrate } from '#api/database/migrations.ts';

const logger = { info() {}, warn() {}, error() {} };
/** Speed before durability: this server's data is discarded. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/** Starts a new, migrated PostgreSQL as the server starts its own; `remove` stops it and deletes its data. */
export async function openScratchPostgres(): Promise<{ url: string; remove: () => Promise<void> }> {
  // The server itself creates the folder, with the rights that its database needs.
  const data_dir = join(tmpdir(), `sendlap-faults-${randomUUID()}`);
  const postgres = await startEmbeddedPostgres({ data_dir, logger, settings: SETTINGS });
  const remove = async () => {
    process.off('SIGINT', giveUp);
    process.off('SIGTERM', giveUp);
    await postgres.stop();
    await rm(data_dir, { recursive: true, force: true });
  };
  // Otherwise the server would outlive this process.
  const giveUp = () => void remove().finally(() => process.exit(1));
  process.once('SIGINT', giveUp);
  process.once('SIGTERM', giveUp);
  try {
    await migrate(postgres.url);
  } catch (error) {
    await remove();
    throw error;
  }
  return { url: postgres.url, remove };
}
