import { type ChildProcess, spawn } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  type Stats,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { StartError } from '#api/platform/start-error.ts';
import type { Account } from './account.ts';
import { DATABASE_ROLE, serverEnvironment, spawnOptions } from './cluster.ts';
import { prepareSocketFolder } from './data-folder.ts';
import { isAlive, isPostmasterOf, readPidFile, removeStaleLock } from './process-state.ts';

/** One cluster and how to run its server. `data_dir` and `pgdata` are real paths. */
export type Cluster = {
  data_dir: string;
  pgdata: string;
  bin_dir: string;
  account: Account | null;
  settings: Record<string, string>;
};

/** An open connection to the running server, and whether the server was running before. */
export type ServerConnection = { client: Client; socket_dir: string; adopted: boolean };

const POLL_MS = 20;
/** Short: a dying server accepts a connection and never answers; the next attempt finds its successor. */
const CONNECT_TIMEOUT_MS = 1000;
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const MAX_LOG_BYTES = 5_000_000;
/** "The database system is starting up": also during recovery after a power loss, which may take minutes. */
const CANNOT_CONNECT_NOW = '57P03';
const MAX_FAILED_STARTS = 3;

/** Fits a small machine; nothing here weakens durability. */
const DEFAULT_SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  max_connections: '60',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

const logPath = (cluster: Cluster): string => join(cluster.data_dir, 'postgres.log');

function openLog(cluster: Cluster): number {
  const path = logPath(cluster);
  if (existsSync(path) && statSync(path).size > MAX_LOG_BYTES) renameSync(path, `${path}.1`);
  if (process.getuid?.() !== 0) return openSync(path, 'a', 0o600);
  return openLogAsRoot(path, statSync(cluster.data_dir));
}

/** Codes of `open` for a link, a pipe and a folder. */
const NO_FILE_CODES = ['ELOOP', 'ENXIO', 'EISDIR'];

/**
 * Opens the log for the account of the folder, which has to be able to open it too. Throws StartError if that account has
 * put something else in its place: a link, for example, to make a file of root's its own.
 */
function openLogAsRoot(path: string, { uid, gid }: Stats): number {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  const refusal = new StartError(`The file ${path} is a link, or no file: remove it.`);
  let log: number;
  try {
    log = openSync(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY, 0o600);
  } catch (error) {
    throw NO_FILE_CODES.includes((error as NodeJS.ErrnoException).code ?? '') ? refusal : error;
  }
  const file = fstatSync(log);
  if (!file.isFile() || file.nlink !== 1) {
    closeSync(log);
    throw refusal;
  }
  if (file.uid === 0) fchownSync(log, uid, gid);
  return log;
}

/** Detached, so that Ctrl-C in a terminal reaches only the app, which drains before it stops the server. */
function spawnPostmaster(cluster: Cluster): ChildProcess {
  const socket_dir = prepareSocketFolder(cluster.data_dir, cluster.account);
  removeStaleLock(join(cluster.pgdata, 'postmaster.pid'), cluster.pgdata);
  removeStaleLock(join(socket_dir, '.s.PGSQL.5432.lock'), cluster.pgdata);
  const settings = { ...DEFAULT_SETTINGS, ...cluster.settings, unix_socket_directories: `"${socket_dir}"` };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openLog(cluster);
  const child = spawn(join(cluster.bin_dir, 'postgres'), ['-D', cluster.pgdata, ...flags], {
    ...spawnOptions(cluster.account),
    env: serverEnvironment(),
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  // Without a listener a failed spawn would end the process; the exit code reports the same.
  child.once('error', () => {});
  child.unref();
  return child;
}

function lastErrorLine(cluster: Cluster): string {
  const lines = readFileSync(logPath(cluster), 'utf8').trim().split('\n');
  return lines.findLast((line) => /FATAL|PANIC|error/i.test(line)) ?? lines.at(-1) ?? 'no word in its log';
}

/** Returns a connection string for the server behind this socket folder, as pg and Kysely expect it. */
export function socketUrl(socket_dir: string, database: string): string {
  return `postgresql://${DATABASE_ROLE}@localhost/${database}?host=${encodeURIComponent(socket_dir)}`;
}

/** Returns a connection to the cluster's `postgres` database, or the error that prevents one for now. */
async function tryConnect(socket_dir: string, pgdata: string): Promise<Client | NodeJS.ErrnoException> {
  const client = new Client({
    connectionString: socketUrl(socket_dir, 'postgres'),
    application_name: `sendlap ${process.pid}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    if (rows[0]?.data_directory === pgdata) return client;
    await client.end();
    return new Error('another server answers at its socket');
  } catch (error) {
    await client.end().catch(() => {});
    return error as NodeJS.ErrnoException;
  }
}

/**
 * Connects to the cluster's live postmaster, or starts one. Safe if two processes do it at once: PostgreSQL allows one
 * postmaster, the other start exits and connects to the winner here.
 * @throws StartError when the server does not start or does not answer
 */
export async function connectOrStart(cluster: Cluster): Promise<ServerConnection> {
  let child: ChildProcess | null = null;
  let failed_starts = 0;
  let deadline = Date.now() + START_TIMEOUT_MS;
  let reason = 'no answer';
  while (Date.now() < deadline) {
    const pid_file = readPidFile(cluster.pgdata);
    if (pid_file && isPostmasterOf(pid_file.pid, cluster.pgdata)) {
      const connection = pid_file.socket_dir
        ? await tryConnect(pid_file.socket_dir, cluster.pgdata)
        : new Error('no socket yet');
      if (connection instanceof Client) {
        return { client: connection, socket_dir: pid_file.socket_dir, adopted: child?.pid !== pid_file.pid };
      }
      reason = connection.message;
      if ((connection as NodeJS.ErrnoException).code === CANNOT_CONNECT_NOW) deadline = Date.now() + START_TIMEOUT_MS;
    } else if (!child) {
      child = spawnPostmaster(cluster);
    } else if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      child = null;
      failed_starts += 1;
      if (failed_starts === MAX_FAILED_STARTS) {
        throw new StartError(`PostgreSQL did not start (${logPath(cluster)}): ${lastErrorLine(cluster)}`);
      }
    }
    await sleep(POLL_MS);
  }
  throw new StartError(
    `PostgreSQL of ${cluster.pgdata} runs but does not answer (${reason}): stop it and start again.`,
  );
}

async function waitForExit(cluster: Cluster, pid: number, timeout_ms: number): Promise<boolean> {
  const deadline = Date.now() + timeout_ms;
  while (Date.now() < deadline) {
    if (!isAlive(pid) || readPidFile(cluster.pgdata)?.pid !== pid) return true;
    await sleep(POLL_MS);
  }
  return false;
}

/**
 * Fast shutdown: ends the sessions, writes a checkpoint, removes the pid file. Falls back to an immediate shutdown if
 * that hangs.
 */
export async function stopPostmaster(cluster: Cluster): Promise<void> {
  const pid_file = readPidFile(cluster.pgdata);
  if (!pid_file || !isPostmasterOf(pid_file.pid, cluster.pgdata)) return;
  process.kill(pid_file.pid, 'SIGINT');
  if (!(await waitForExit(cluster, pid_file.pid, STOP_TIMEOUT_MS))) {
    process.kill(pid_file.pid, 'SIGQUIT');
    await waitForExit(cluster, pid_file.pid, STOP_TIMEOUT_MS);
  }
  try {
    rmdirSync(pid_file.socket_dir);
  } catch {
    // The folder is not empty or already gone: the next start does not need it removed.
  }
}
