import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#api/database/embedded-postgres/embedded-postgres.ts';
import { createTemplate } from './database-copy.ts';

const PREFIX = 'sendlap-test-';
/** Speed before durability: this server's data is discarded. */
const SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
/** Linux's shared memory, usable as a folder. */
const SHARED_MEMORY = '/dev/shm';
/** Several times the size of all databases of a whole run. */
const MIN_FREE_BYTES = 1024 ** 3;
const logger = { info() {}, warn() {}, error() {} };

export interface ThrowAwayServer {
  /** The address to pass to `copyTemplate`. */
  url: string;
  /** Stops the server and deletes its data. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL for one test run, with a migrated template database; `fill` adds to the template. */
export async function startThrowAwayServer(fill?: (template_url: string) => Promise<void>): Promise<ThrowAwayServer> {
  removeLeftovers();
  const folder = makeDatabaseFolder();
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  try {
    const server = await startEmbeddedPostgres({ data_dir: join(folder, 'data'), logger, settings: SETTINGS });
    const stop = async () => {
      await server.stop();
      remove();
    };
    try {
      const template_url = await createTemplate(server.url);
      const { migrate } = await import('#api/database/migrations.ts');
      await migrate(template_url);
      await fill?.(template_url);
      return { url: server.url, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  } catch (error) {
    remove();
    throw error;
  }
}

/**
 * Makes a folder for temporary databases, in memory if there is enough: on a disk, a copy of a database costs as much CPU time
 * as its tests. The next run removes what a killed one leaves.
 */
export function makeDatabaseFolder(): string {
  const folder = mkdtempSync(join(chooseParentFolder(), `${PREFIX}${process.pid}-`));
  // Under root, the server's own account must be able to enter.
  chmodSync(folder, 0o711);
  return folder;
}

function chooseParentFolder(): string {
  if (!existsSync(SHARED_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  return bavail * bsize >= MIN_FREE_BYTES ? SHARED_MEMORY : tmpdir();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Stops and removes the servers of test runs that were killed before they could do so. */
function removeLeftovers(): void {
  for (const folder of [tmpdir(), SHARED_MEMORY]) if (existsSync(folder)) removeLeftoversIn(folder);
}

function removeLeftoversIn(parent: string): void {
  for (const name of readdirSync(parent)) {
    // Servers of `startServer` have e2e in their name.
    const owner = /^sendlap-(?:test|e2e)-(\d+)-/.exec(name)?.[1];
    if (!owner || isRunning(Number(owner))) continue;
    const folder = join(parent, name);
    try {
      for (const data_dir of ['', ...readdirSync(folder)])
        endPostmaster(join(folder, data_dir, 'postgres/postmaster.pid'));
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      // Belongs to another user.
    }
  }
}

function endPostmaster(pid_file: string): void {
  try {
    process.kill(Number.parseInt(readFileSync(pid_file, 'utf8'), 10), 'SIGQUIT');
  } catch {
    // It is not running, or belongs to another user.
  }
}
