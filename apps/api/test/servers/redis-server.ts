import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder, findOnPath, isDebian, libraryPath, unpackPackages } from '../debian-packages.ts';
import { pollUntil } from '../delays.ts';
import { findFreePort } from '../free-port.ts';

const run = promisify(execFile);
const NAMES = ['redis-server', 'valkey-server'];
const PREFIX = 'sendlap-redis-';
const START_MS = 15_000;
const ATTEMPTS = 3;

/** A Redis in a process of its own, on a port of this machine, as a bench's peer. It persists nothing. */
interface RedisServer {
  url: string;
  stop(): Promise<void>;
}

/**
 * Finds the program: REDIS_SERVER_PATH, the system's, or Debian's package unpacked into the cache folder, where none of
 * its services starts. Returns its path, or the reason why it is missing, for people.
 */
export async function findOrInstallRedis(): Promise<{ path: string } | { missing: string }> {
  const given = process.env.REDIS_SERVER_PATH;
  if (given) return (await answers(given)) ? { path: given } : { missing: `REDIS_SERVER_PATH: ${given} does not run` };
  const folder = cacheFolder('redis');
  const starter = join(folder, 'redis.sh');
  for (const path of [...NAMES.map(findOnPath), starter]) if (await answers(path)) return { path: path ?? '' };
  if (!isDebian()) return { missing: 'no redis-server is installed' };
  try {
    await unpackPackages(['redis-server'], folder);
    writeStarter(folder);
  } catch (error) {
    return { missing: `redis-server could not be fetched: ${error instanceof Error ? error.message : error}` };
  }
  return (await answers(starter)) ? { path: starter } : { missing: 'the fetched redis-server does not run' };
}

async function answers(path: string | undefined): Promise<boolean> {
  if (!path || !existsSync(path)) return false;
  try {
    return /server v=/.test((await run(path, ['--version'])).stdout);
  } catch {
    return false;
  }
}

/** Writes a script that starts the program with its package's own libraries. */
function writeStarter(folder: string): void {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const program = quote(join(folder, 'usr/bin/redis-server'));
  const starter = join(folder, 'redis.sh');
  writeFileSync(starter, `#!/bin/sh\nexport LD_LIBRARY_PATH=${quote(libraryPath(folder))}\nexec ${program} "$@"\n`);
  chmodSync(starter, 0o755);
}

/** Starts the program that `findOrInstallRedis` found; it accepts commands once this resolves. */
export async function startRedis(path: string): Promise<RedisServer> {
  removeLeftovers();
  for (let attempt = 1; ; attempt++) {
    const port = await findFreePort();
    const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
    const child = spawn(path, settingsOf(port, folder), { stdio: 'ignore' });
    const stop = async () => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    };
    if (await isReady(child, port)) return { url: `redis://127.0.0.1:${port}`, stop };
    await stop();
    // Another program may have taken the port by now.
    if (attempt === ATTEMPTS) throw new Error('redis-server did not start');
  }
}

function settingsOf(port: number, folder: string): string[] {
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: folder,
    pidfile: join(folder, 'redis.pid'),
    save: '',
    appendonly: 'no',
  };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

async function isReady(child: ChildProcess, port: number): Promise<boolean> {
  let is_over = false;
  for (const end of ['error', 'exit'])
    child.once(end, () => {
      is_over = true;
    });
  await pollUntil(async () => is_over || (await pongs(port)), { patience_ms: START_MS });
  return !is_over && (await pongs(port));
}

function pongs(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const finish = (is_ready: boolean) => {
      socket.destroy();
      resolve(is_ready);
    };
    socket.once('data', (data) => finish(data.toString().startsWith('+PONG')));
    socket.once('error', () => finish(false));
    socket.once('close', () => finish(false));
  });
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
  for (const name of readdirSync(tmpdir())) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (!owner || isRunning(Number(owner))) continue;
    const folder = join(tmpdir(), name);
    try {
      process.kill(Number.parseInt(readFileSync(join(folder, 'redis.pid'), 'utf8'), 10), 'SIGKILL');
    } catch {
      // It is not running, or belongs to another user.
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
