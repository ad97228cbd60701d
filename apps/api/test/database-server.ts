import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#api/platform/embedded-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    database_server_url: string;
  }
}

const PREFIX = 'sendlap-test-';
/** Speed before durability: this server's data is thrown away. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };
const logger = { info() {}, warn() {}, error() {} };

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Ends and removes the servers of test runs that were killed before they could do it themselves. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (!owner || isRunning(Number(owner))) continue;
    const folder = join(tmpdir(), name);
    try {
      process.kill(Number.parseInt(readFileSync(join(folder, 'data/postgres/postmaster.pid'), 'utf8'), 10), 'SIGQUIT');
    } catch {
      // It is not running, or it is another user's.
    }
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      // Another user's.
    }
  }
}

/** One server for the whole run, with a migrated database to copy: see `createTestDatabase`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  removeLeftovers();
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // Under root the server's own account must reach it.
  chmodSync(folder, 0o711);
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  try {
    const server = await startEmbeddedPostgres({ data_dir: join(folder, 'data'), logger, settings: SETTINGS });
    const teardown = async () => {
      await server.stop();
      remove();
    };
    try {
      const client = new Client({ connectionString: server.url });
      await client.connect();
      await client.query('CREATE DATABASE template');
      await client.end();
      const { migrate } = await import('#api/platform/migrations.ts');
      await migrate(server.url.replace('/sendlap?', '/template?'));
    } catch (error) {
      await teardown();
      throw error;
    }
    project.provide('database_server_url', server.url);
    return teardown;
  } catch (error) {
    remove();
    throw error;
  }
}
