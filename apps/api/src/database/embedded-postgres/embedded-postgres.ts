import { existsSync, realpathSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { isDiskFull, StartError } from '#api/platform/start-error.ts';
import { type Account, chooseAccount } from './account.ts';
import { type Binaries, findBinaries, findServerPackage } from './binaries.ts';
import { acquireAppLock, acquireUseLock, releaseUseLock } from './claim.ts';
import { ensureCluster } from './cluster.ts';
import { prepareDataFolder, shortHash } from './data-folder.ts';
import { checkFreeSpace, diskFullError } from './free-space.ts';
import { readOwnBinaries } from './own-binaries.ts';
import { type Cluster, connectOrStart, type ServerConnection, socketUrl, stopPostmaster } from './postmaster.ts';

const DATABASE = 'sendlap';
const RETRY_DELAY_MS = 200;
const MAX_ATTEMPTS = 10;
/** `duplicate_database` and `unique_violation` of PostgreSQL. */
const DUPLICATE_DATABASE_CODES = ['42P04', '23505'];

/** The part of pino's logger that is used here. */
type ServerLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** `settings` are PostgreSQL's own (`fsync: 'off'` for tests only); an adopted server keeps its current settings. */
export type EmbeddedPostgresOptions = {
  data_dir: string;
  /** The folder of other server programs than npm's. */
  bin_dir?: string | undefined;
  logger: ServerLogger;
  settings?: Record<string, string>;
  /** `app`: the only app on the data folder. `operator`: a command that may run beside the app. */
  role?: 'app' | 'operator';
  /** Runs at the first start, before the new database gets its final name. */
  onNewCluster?: () => Promise<void>;
};

/** `url` uses a unix socket. `adopted`: the server was already running, for example because its parent was killed. */
export type EmbeddedPostgres = { url: string; adopted: boolean; stop: () => Promise<void> };

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rowCount) return;
  try {
    await client.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    // Another start created it between our query and this statement.
    if (!DUPLICATE_DATABASE_CODES.includes((error as { code?: string }).code ?? '')) throw error;
  }
}

async function releaseServer(cluster: Cluster, client: Client): Promise<void> {
  const is_last = await releaseUseLock(client).catch(() => false);
  if (is_last) await stopPostmaster(cluster);
  await client.end().catch(() => {});
}

/** Returns a connection that holds this process's claim on the server for as long as it is open. */
async function acquireServer(cluster: Cluster, role: 'app' | 'operator'): Promise<ServerConnection> {
  for (let attempt = 1; ; attempt += 1) {
    const running = await connectOrStart(cluster);
    try {
      if (await acquireUseLock(running.client)) {
        if (role === 'app') await acquireAppLock(running.client, cluster.data_dir);
        await createDatabase(running.client);
        return running;
      }
    } catch (error) {
      await releaseServer(cluster, running.client);
      // Any other error means that another process was stopping the server: start it again.
      if (error instanceof StartError || attempt === MAX_ATTEMPTS) throw error;
    }
    await running.client.end().catch(() => {});
    await sleep(RETRY_DELAY_MS);
  }
}

/**
 * Restores the claim on the server, and the server itself, if either is lost while the app runs. Returns a function
 * that stops both.
 */
function maintainClaim(
  cluster: Cluster,
  initial_client: Client,
  { logger, role = 'app' }: EmbeddedPostgresOptions,
): () => Promise<void> {
  let claim_client: Client | null = null;
  let is_stopping = false;

  function setClaimClient(client: Client): void {
    claim_client = client;
    client.once('end', () => {
      claim_client = null;
      if (!is_stopping) void reacquire();
    });
  }

  async function reacquire(): Promise<void> {
    logger.warn({}, 'the embedded PostgreSQL closed the connection; getting it back');
    while (!is_stopping) {
      try {
        const { client } = await acquireServer(cluster, role);
        if (is_stopping) return await releaseServer(cluster, client);
        setClaimClient(client);
        return logger.info({}, 'the embedded PostgreSQL is back');
      } catch (error) {
        logger.error({ reason: (error as Error).message }, 'the embedded PostgreSQL is not back yet');
        await sleep(RETRY_DELAY_MS);
      }
    }
  }

  setClaimClient(initial_client);
  return async () => {
    is_stopping = true;
    if (claim_client) await releaseServer(cluster, claim_client);
  };
}

/**
 * Starts the PostgreSQL that npm installed, or that of `bin_dir`, or adopts the one that still runs on the data folder. `stop` shuts it down
 * cleanly, unless an operator's command (or, for a command, the app) still uses the server.
 * @throws StartError with one line when the data folder cannot be used or the server cannot run
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const started_at = performance.now();
  const requested_dir = resolve(options.data_dir);
  const { cluster, running } = await openCluster(requested_dir, options).catch((error: unknown) => {
    throw isDiskFull(error) ? diskFullError(requested_dir, String((error as Error).message)) : error;
  });
  const { client, socket_dir, adopted } = running;
  const stop = maintainClaim(cluster, client, options);
  const duration_ms = Math.round(performance.now() - started_at);
  options.logger.info(
    { data_dir: cluster.data_dir, adopted, duration_ms },
    adopted ? 'embedded PostgreSQL adopted' : 'embedded PostgreSQL started',
  );
  return { url: socketUrl(socket_dir, DATABASE), adopted, stop };
}

/** Checks everything that can be refused without writing first. */
async function openCluster(requested_dir: string, options: EmbeddedPostgresOptions) {
  const account = chooseAccount(requested_dir);
  const locateBinaries = checkBinaries(options.bin_dir, account);
  checkFreeSpace(requested_dir, hasCluster(requested_dir));
  const data_dir = prepareDataFolder(requested_dir, account);
  const binaries = locateBinaries(data_dir);
  const pgdata = await ensureCluster(data_dir, binaries, account, options.onNewCluster);
  const cluster: Cluster = { data_dir, pgdata, bin_dir: binaries.bin_dir, account, settings: options.settings ?? {} };
  return { cluster, running: await acquireServer(cluster, options.role ?? 'app') };
}

/** Checks the server's programs. Returns a function that finds them, or copies them into the data folder. */
function checkBinaries(own_dir: string | undefined, account: Account | null): (data_dir: string) => Binaries {
  if (own_dir === undefined) {
    const server_package = findServerPackage();
    return (data_dir) => findBinaries(server_package, data_dir, account);
  }
  const binaries = readOwnBinaries(own_dir, account);
  return () => binaries;
}

/** Returns true if a previous start created the database in this data folder. */
export function hasCluster(data_dir: string): boolean {
  return existsSync(join(data_dir, 'postgres', 'PG_VERSION'));
}

/**
 * Returns the data folder for an unset DATA_DIR: `.data` in the project; for root a folder of this project under
 * /var/lib, because the server's account usually cannot enter root's home.
 */
export function defaultDataDir(project_root: string): string {
  if (process.getuid?.() !== 0) return join(project_root, '.data');
  const path = realpathSync(project_root);
  const name = basename(path).replace(/[^\w.-]+/g, '-') || 'root';
  return join('/var/lib/sendlap', `${name}-${shortHash(path, 8)}`);
}
