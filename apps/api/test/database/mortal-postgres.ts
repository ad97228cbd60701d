import { execFile } from 'node:child_process';
import { chownSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import pg from 'pg';
import { type Database, isDatabaseUnavailable } from '#api/database/database.ts';
import { chooseAccount } from '#api/database/embedded-postgres/account.ts';
import { findBinaries, findServerPackage } from '#api/database/embedded-postgres/binaries.ts';
import { ensureCluster } from '#api/database/embedded-postgres/cluster.ts';
import { prepareDataFolder } from '#api/database/embedded-postgres/data-folder.ts';
import { type Cluster, connectOrStart, socketUrl, stopPostmaster } from '#api/database/embedded-postgres/postmaster.ts';
import { readPidFile } from '#api/database/embedded-postgres/process-state.ts';
import { migrate } from '#api/database/migrations.ts';
import { pollUntil } from '../delays.ts';
import { makeDatabaseFolder } from './throw-away-server.ts';

const run = promisify(execFile);
const BACK_MS = 60_000;
const REMOVAL = { recursive: true, force: true, maxRetries: 5, retryDelay: 100 };
/** PostgreSQL keeps whatever a commit does not flush in memory for as long as it can, so that a crash loses it. */
const SETTINGS = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', wal_writer_delay: '10s' };

/** A PostgreSQL that can be restarted, and crash in three ways. After each, it answers again at the same address. */
export interface MortalPostgres {
  url: string;
  /** Stops it as an operator does, and starts it again. */
  restart(): Promise<void>;
  /** Kills the postmaster and starts it again. */
  killPostmaster(): Promise<void>;
  /** Kills one backend: the postmaster ends all others, recovers, and keeps running. */
  killBackend(): Promise<void>;
  /** Copies everything stored so far to a standby. It receives nothing from here on. */
  makeStandby(): Promise<void>;
  /** Kills the server and promotes its last standby in its place. */
  failOver(): Promise<void>;
  remove(): Promise<void>;
}

/** Starts a migrated server. Throws `StartError` where it cannot run. */
export async function openMortalPostgres(): Promise<MortalPostgres> {
  const folder = makeDatabaseFolder();
  const address = join(folder, 'address');
  const url = socketUrl(address, 'sendlap');
  let live = await makeCluster(join(folder, '0'));
  let standby: Cluster | undefined;
  let standbys = 0;
  const kill = () => {
    const found = readPidFile(live.pgdata);
    if (found) process.kill(found.pid, 'SIGKILL');
  };

  await startAt(address, live, 'create database sendlap');
  await migrate(url);
  return {
    url,
    async restart() {
      await stopPostmaster(live);
      await startAt(address, live);
    },
    async killPostmaster() {
      kill();
      await startAt(address, live);
    },
    async killBackend() {
      await killOneBackend(url);
      await startAt(address, live);
    },
    async makeStandby() {
      // A copy of a stopped server is complete without a backup of its log.
      await stopPostmaster(live);
      if (standby) removeCluster(standby);
      standbys += 1;
      standby = await copyAsStandby(live, join(folder, String(standbys)));
      await startAt(address, live);
    },
    async failOver() {
      if (!standby) throw new Error('there is no standby');
      kill();
      const dead = live;
      live = standby;
      standby = undefined;
      await startAt(address, live, 'select pg_promote()');
      removeCluster(dead);
    },
    async remove() {
      await stopPostmaster(live);
      rmSync(folder, REMOVAL);
    },
  };
}

/** Starts the cluster, sends it the query `first`, then points the address to it. */
async function startAt(address: string, cluster: Cluster, first = 'select'): Promise<void> {
  let socket_dir: string | undefined;
  let reason: unknown;
  const isRunning = async () => {
    try {
      const running = await connectOrStart(cluster);
      await running.client.query(first);
      await running.client.end();
      socket_dir = running.socket_dir;
    } catch (error) {
      // The backends of a killed postmaster end a moment later; until then they keep a new one from starting.
      reason = error;
    }
    return socket_dir !== undefined;
  };
  await pollUntil(isRunning, { patience_ms: BACK_MS });
  if (socket_dir === undefined) throw reason;
  rmSync(address, { force: true });
  symlinkSync(socket_dir, address);
}

/** Resolves once the postmaster has ended the other backends too. */
async function killOneBackend(url: string): Promise<void> {
  const [victim, witness] = [await connect(url), await connect(url)];
  const ended = new Promise<void>((resolve) => witness.once('end', () => resolve()));
  const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]?.pid ?? Number.NaN, 'SIGKILL');
  await ended;
}

async function copyAsStandby(from: Cluster, data_dir: string): Promise<Cluster> {
  const copy = await makeCluster(data_dir);
  rmSync(copy.pgdata, REMOVAL);
  await run('cp', ['-a', from.pgdata, copy.pgdata]);
  const signal = join(copy.pgdata, 'standby.signal');
  writeFileSync(signal, '');
  if (copy.account) chownSync(signal, copy.account.uid, copy.account.gid);
  return copy;
}

async function makeCluster(requested_dir: string): Promise<Cluster> {
  const account = chooseAccount(requested_dir);
  const data_dir = prepareDataFolder(requested_dir, account);
  const binaries = findBinaries(findServerPackage(), data_dir, account);
  const { bin_dir } = binaries;
  const pgdata = await ensureCluster(data_dir, binaries, account);
  return { data_dir, pgdata, bin_dir, account, settings: SETTINGS };
}

function removeCluster({ data_dir }: Cluster): void {
  rmSync(data_dir, REMOVAL);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Takes so many transaction ids; only the next commit flushes them to the disk. */
export async function takeIds(database: Database, count: number): Promise<void> {
  await sql`do ${sql.raw(`$$ begin
    for nth in 1..${count} loop
      perform pg_current_xact_id();
      rollback;
    end loop;
  end $$`)}`.execute(database);
}

/** Returns the id of the next transaction, provided that none is open. */
export async function readNextId(database: Database): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select pg_snapshot_xmax(pg_current_snapshot())::text as id`.execute(database);
  return Number(rows[0]?.id);
}

/** Retries until the database can be reached: the connections of a pool break one by one. */
export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const given_up_at = performance.now() + BACK_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || performance.now() > given_up_at) throw error;
      await new Promise(setImmediate);
    }
  }
}
