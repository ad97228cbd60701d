import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Account, canRun, chooseAccount } from '#api/database/embedded-postgres/account.ts';
import { DATABASE_ROLE, serverEnvironment, spawnOptions } from '#api/database/embedded-postgres/cluster.ts';
import { socketUrl } from '#api/database/embedded-postgres/postmaster.ts';
import { cacheFolder, isDebian, libraryPath, unpackPackages } from '../debian-packages.ts';
import { type CenterFiles, copyCenters } from './fill-centers.ts';

const run = promisify(execFile);
const START_MS = 30_000;
const POLL_MS = 50;
/** One tick of utime and stime in /proc: USER_HZ, 100 on every Linux that Node runs on. */
const TICK_US = 10_000;

/** A PostgreSQL with PostGIS and the centers in it, in a process of its own. */
export interface PostgisCluster {
  url: string;
  /** CPU time of all its processes so far, in microseconds. */
  cpuTime(): number;
  stop(): Promise<void>;
}

/** The programs of a PostgreSQL with PostGIS, and the folders of their libraries, in the form of LD_LIBRARY_PATH. */
export interface PostgisPrograms {
  bin_dir: string;
  libraries: string;
}

/** Fetches Debian's packages into the cache without starting their services; returns their programs, or why not. */
export async function fetchPostgis(): Promise<PostgisPrograms | { missing: string }> {
  const folder = cacheFolder('postgis');
  if (findPrograms(folder)) return { bin_dir: findPrograms(folder) ?? '', libraries: libraryPath(folder) };
  if (!isDebian()) return { missing: 'PostGIS is fetched from Debian only' };
  console.log('     fetching PostGIS from Debian, once…');
  try {
    const { stdout } = await run('apt-cache', ['search', '--names-only', '^postgresql-[0-9]+-postgis-3$']);
    const names = stdout.split('\n').flatMap((line) => /^postgresql-\d+-postgis-3(?= )/.exec(line) ?? []);
    const newest = names.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
    if (newest === undefined) return { missing: 'Debian has no PostGIS here' };
    await unpackPackages([newest], folder);
    nameExtension(join(folder, 'usr/share/postgresql'));
  } catch (error) {
    return { missing: `PostGIS could not be fetched: ${error instanceof Error ? error.message : error}` };
  }
  const bin_dir = findPrograms(folder);
  if (!bin_dir) return { missing: "this Debian's packages hold no PostGIS where it was expected" };
  const account = chooseAccount(folder);
  if (account && !canRun(join(bin_dir, 'postgres'), account))
    return { missing: `${account.name} cannot enter ${folder}` };
  return { bin_dir, libraries: libraryPath(folder) };
}

/** An installed package links the extension's name without a version number; unpacked packages lack that link. */
function nameExtension(folder: string): void {
  for (const major of readdirSync(folder)) {
    const [numbered, plain] = ['postgis-3.control', 'postgis.control'].map((name) =>
      join(folder, major, 'extension', name),
    );
    if (numbered && plain && existsSync(numbered)) copyFileSync(numbered, plain);
  }
}

/** Returns the folder of the newest PostgreSQL there that has PostGIS and its server's programs. */
function findPrograms(root: string): string | undefined {
  const folder = join(root, 'usr/lib/postgresql');
  const majors = existsSync(folder) ? readdirSync(folder) : [];
  const major = majors
    .filter((name) => existsSync(join(root, 'usr/share/postgresql', name, 'extension/postgis.control')))
    .filter((name) => existsSync(join(folder, name, 'bin/postgres')))
    .sort((a, b) => Number(a) - Number(b))
    .at(-1);
  return major && join(folder, major, 'bin');
}

/** Creates a cluster in the folder and loads the files; `programs` are those that `fetchPostgis` returned. */
export async function startPostgis(
  programs: PostgisPrograms,
  folder: string,
  files: CenterFiles,
): Promise<PostgisCluster> {
  const account = chooseAccount(join(folder, 'postgis'));
  const pgdata = join(folder, 'postgis');
  mkdirSync(pgdata, { mode: 0o700 });
  if (account) chownSync(pgdata, account.uid, account.gid);
  const postmaster = await startPostmaster(programs, pgdata, account);
  const url = socketUrl(pgdata, 'postgres');
  const stop = async (): Promise<void> => {
    if (postmaster.exitCode !== null || postmaster.signalCode !== null) return;
    postmaster.kill('SIGINT');
    await once(postmaster, 'exit');
  };
  try {
    await fill(url, files);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, cpuTime: watchChildren(postmaster.pid ?? 0), stop };
}

async function startPostmaster(
  { bin_dir, libraries }: PostgisPrograms,
  pgdata: string,
  account: Account | null,
): Promise<ChildProcess> {
  const identity = { ...spawnOptions(account), env: { ...serverEnvironment(), LD_LIBRARY_PATH: libraries } };
  await run(join(bin_dir, 'initdb'), ['-D', pgdata, '-U', DATABASE_ROLE, '--auth=trust', '-E', 'UTF8'], identity);
  // Tuned for reads: the whole table in its own memory, no just-in-time compiler in short queries.
  const settings = {
    listen_addresses: '',
    unix_socket_directories: pgdata,
    shared_buffers: '1GB',
    fsync: 'off',
    autovacuum: 'off',
    jit: 'off',
  };
  const flags = Object.entries({ ...settings, max_wal_size: '4GB' }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = spawn(join(bin_dir, 'postgres'), ['-D', pgdata, ...flags], { ...identity, stdio: 'ignore' });
  const started_at = performance.now();
  while (child.exitCode === null && performance.now() - started_at < START_MS) {
    if (await answers(socketUrl(pgdata, 'postgres'))) return child;
    await pause(POLL_MS);
  }
  child.kill('SIGINT');
  throw new Error('the PostgreSQL for PostGIS did not start');
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function fill(url: string, files: CenterFiles): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`
      create extension postgis;
      create table sport_centers (
        id uuid, name text, address text, city text, country text, latitude double precision, longitude double precision,
        phone text, url text, is_private boolean, time_zone text, source text, source_ref text, licence text,
        attribution text, other_names text[] default '{}', content_hash text, place_names text[], search_name text,
        search_text text, search_city text, closed_at timestamptz, created_at timestamptz default now(),
        updated_at timestamptz default now()
      );
      create table sport_facilities (
        id uuid, sport_center_id uuid, type text, created_at timestamptz default now(), updated_at timestamptz default now()
      )`);
    await copyCenters(url, files);
    await client.query(`
      set maintenance_work_mem = '512MB';
      set work_mem = '256MB';
      create table centers as
        select center.*, st_setsrid(st_makepoint(longitude, latitude), 4326)::geography as place, facilities.sport_facilities
        from sport_centers as center join (
          select sport_center_id, json_agg(to_json(facility)) as sport_facilities
          from sport_facilities as facility group by sport_center_id
        ) as facilities on facilities.sport_center_id = center.id;
      drop table sport_centers, sport_facilities;
      create index on centers using gist (place);
      analyze centers`);
    await client.query('vacuum centers');
  } finally {
    await client.end();
  }
}

/** Sums the CPU time of the postmaster's children; ended ones keep the time at which they were last seen. */
export function watchChildren(postmaster: number): () => number {
  const ticks = new Map<string, number>();
  return () => {
    for (const name of readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      try {
        // Fields after the name in brackets: state, parent, …; utime and stime are the 12th and 13th.
        const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        if (Number(fields[1]) === postmaster) ticks.set(name, Number(fields[11]) + Number(fields[12]));
      } catch {
        // The process has ended since.
      }
    }
    return [...ticks.values()].reduce((sum, each) => sum + each, 0) * TICK_US;
  };
}
