import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { canRun, chooseAccount } from '#api/database/embedded-postgres/account.ts';
import { DATABASE_ROLE, spawnOptions } from '#api/database/embedded-postgres/cluster.ts';
import { startEmbeddedPostgres } from '#api/database/embedded-postgres/embedded-postgres.ts';
import { findOrUnpack, libraryPath } from '../debian-packages.ts';
import { findFreePort } from '../free-port.ts';

const START_MS = 30_000;
const POLL_MS = 50;
export const EJABBERD_HOST = 'localhost';
export const EJABBERD_PASSWORD = 'chalk';

/** Two servers with the same accounts `u0`, `u1`, …: one archives every message, the other none. */
export interface Ejabberds {
  /** Ports of c2s on 127.0.0.1. */
  plain: number;
  archive: number;
  end(): Promise<void>;
}

/** Starts both on one PostgreSQL of their own. If that is impossible, returns the reason, for people. */
export async function startEjabberds(accounts: number): Promise<Ejabberds | { missing: string }> {
  const installed = await installEjabberd();
  if ('missing' in installed) return installed;
  const scratch = mkdtempSync(join(tmpdir(), 'sendlap-bench-'));
  // The database's own account must be able to enter.
  chmodSync(scratch, 0o711);
  const ends: (() => Promise<void>)[] = [async () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })];
  const end = async (): Promise<void> => {
    process.off('SIGINT', giveUp);
    process.off('SIGTERM', giveUp);
    for (const one of ends.splice(0).reverse()) await one();
  };
  // Otherwise the servers would outlive this process.
  const giveUp = () => void end().finally(() => process.exit(1));
  process.once('SIGINT', giveUp);
  process.once('SIGTERM', giveUp);
  try {
    const database = await startArchive(installed.folder, scratch, accounts);
    ends.push(database.stop);
    const folders = { folder: installed.folder, scratch };
    const plain = await startEjabberd(folders, database, false);
    ends.push(plain.stop);
    const archive = await startEjabberd(folders, database, true);
    ends.push(archive.stop);
    return { plain: plain.port, archive: archive.port, end };
  } catch (error) {
    await end();
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the folder into which Debian's ejabberd and its Erlang are unpacked; otherwise the reason, for people. */
async function installEjabberd(): Promise<{ folder: string } | { missing: string }> {
  const unpacked = await findOrUnpack({
    name: 'ejabberd',
    label: 'ejabberd',
    packages: ['ejabberd', 'erlang-base', 'erlang-p1-pgsql'],
    findMissing: (folder) => PARTS.find((part) => findPath(folder, part) === undefined),
  });
  if ('missing' in unpacked) return unpacked;
  const { folder } = unpacked;
  const account = chooseAccount(folder);
  if (account && !canRun(join(findRuntime(folder), 'erlexec'), account))
    return { missing: `${account.name} cannot enter ${folder}` };
  return { folder };
}

/** Returns the path of the entry in the folder that begins with these letters. */
function findPath(folder: string, part: string): string | undefined {
  const path = join(folder, part);
  const name =
    existsSync(dirname(path)) && readdirSync(dirname(path)).find((entry) => entry.startsWith(basename(path)));
  return name ? join(dirname(path), name) : undefined;
}

const RUNTIME = 'usr/lib/erlang/erts-';
const SCHEMA = 'usr/share/ejabberd/sql/pg.sql';
/** Path prefixes of the files that the bench needs, one per package. */
const PARTS = [RUNTIME, SCHEMA, 'usr/lib/erlang/lib/p1_pgsql-'];

/** Returns the folder of the unpacked Erlang's programs. */
function findRuntime(folder: string): string {
  return join(findPath(folder, RUNTIME) ?? '', 'bin');
}

/** An archive in a PostgreSQL with the settings of Sendlap's own, durability included. */
interface ArchiveDatabase {
  host: string;
  stop(): Promise<void>;
}

/** Creates the database with ejabberd's tables and accounts `u0`, `u1`, …, all with the one password. */
async function startArchive(folder: string, scratch: string, accounts: number): Promise<ArchiveDatabase> {
  const logger = { info() {}, warn() {}, error() {} };
  // PostgreSQL's default port, after which its socket is named, on a loopback address that no other process uses.
  const host = `127.83.${randomInt(1, 255)}.${randomInt(1, 255)}`;
  const settings = { listen_addresses: host };
  const postgres = await startEmbeddedPostgres({ data_dir: join(scratch, 'archive'), logger, settings });
  const client = new Client({ connectionString: postgres.url });
  try {
    await client.connect();
    await client.query(readFileSync(join(folder, SCHEMA), 'utf8'));
    await client.query(
      "insert into users (username, password) select 'u' || nth, $1 from generate_series(0, $2::int - 1) nth",
      [EJABBERD_PASSWORD, accounts],
    );
  } catch (error) {
    await postgres.stop();
    throw error;
  } finally {
    await client.end();
  }
  return { host, stop: () => postgres.stop() };
}

interface Ejabberd {
  port: number;
  stop(): Promise<void>;
}

/**
 * Starts it on a port of 127.0.0.1, without TLS and without limits. The accounts are in the database either way;
 * `archive` says whether each message is stored there too (XEP-0313).
 */
async function startEjabberd(
  { folder, scratch }: { folder: string; scratch: string },
  database: ArchiveDatabase,
  archive: boolean,
): Promise<Ejabberd> {
  const home = join(scratch, `ejabberd-${archive ? 'archive' : 'plain'}`);
  mkdirSync(home, { mode: 0o700 });
  const account = chooseAccount(join(scratch, 'archive'));
  if (account) chownSync(home, account.uid, account.gid);
  const port = await findFreePort();
  const config = join(home, 'ejabberd.yml');
  writeFileSync(config, configOf(port, database.host, archive), { mode: 0o644 });
  const runtime = findRuntime(folder);
  const root = join(folder, 'usr/lib/erlang');
  const libraries = readdirSync(join(folder, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'));
  const child = spawn(join(runtime, 'erlexec'), FLAGS_OF(home), {
    ...spawnOptions(account),
    env: {
      PATH: process.env.PATH,
      HOME: home,
      ROOTDIR: root,
      BINDIR: runtime,
      EMU: 'beam',
      PROGNAME: 'erl',
      ERL_LIBS: libraries.map((name) => join(folder, 'usr/lib', name)).join(':'),
      LD_LIBRARY_PATH: libraryPath(folder),
      EJABBERD_CONFIG_PATH: config,
      EJABBERD_LOG_PATH: join(home, 'ejabberd.log'),
      ERL_CRASH_DUMP: join(home, 'crash.dump'),
    },
    stdio: 'ignore',
  });
  if (await isReady(child, port)) return { port, stop: () => end(child) };
  await end(child);
  throw new Error(`ejabberd did not start: ${lastLine(join(home, 'ejabberd.log'))}`);
}

/** As Debian's ejabberdctl starts it, except for the node's name: there is only one node. */
const FLAGS_OF = (home: string): string[] => [
  ...['+K', 'true', '+P', '250000', '-noinput', '-mnesia', 'dir', JSON.stringify(join(home, 'spool'))],
  ...['-s', 'ejabberd'],
];

function configOf(port: number, sql_server: string, archive: boolean): string {
  return `hosts: [${EJABBERD_HOST}]
loglevel: error
listen:
  - {port: ${port}, ip: "127.0.0.1", module: ejabberd_c2s, access: all, max_stanza_size: 262144}
auth_method: sql
auth_password_format: plain
sql_type: pgsql
sql_server: ${sql_server}
sql_port: 5432
sql_database: sendlap
sql_username: ${DATABASE_ROLE}
sql_password: ""
default_db: sql
modules:
  mod_ping: {}
${archive ? '  mod_mam: {db_type: sql, default: always, assume_mam_usage: true}\n' : ''}`;
}

async function isReady(child: ChildProcess, port: number): Promise<boolean> {
  const until = performance.now() + START_MS;
  let failed = false;
  child.once('error', () => {
    failed = true;
  });
  while (!failed && child.exitCode === null && performance.now() < until) {
    if (await connects(port)) return true;
    await pause(POLL_MS);
  }
  return false;
}

function connects(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => finish(true));
    const finish = (is_ready: boolean) => {
      socket.destroy();
      resolve(is_ready);
    };
    socket.once('error', () => finish(false));
  });
}

/** Its data is discarded. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

function lastLine(path: string): string {
  return existsSync(path) ? (readFileSync(path, 'utf8').trim().split('\n').at(-1) ?? '') : 'no word in its log';
}
