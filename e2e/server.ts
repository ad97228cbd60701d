import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { findFreePort } from '../apps/api/test/free-port.ts';
import type { DataTemplate } from './data-template.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** What the start of one server compiled, the next need not. */
const COMPILE_CACHE = join(ROOT, '.cache/e2e-server');
const READY_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 20_000;
/** Characters of what a server last said that are kept. */
const MAX_SAID = 10_000;

/** The real server with its own PostgreSQL on a data folder of its own, as `npm start` runs it. */
export interface Server {
  url: string;
  data_dir: string;
  /** Runs the operator's line and gives what it printed. Throws when it fails. */
  sendlap(...args: string[]): Promise<string>;
  /** Ends the process as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** What the server's clock says, ms epoch. */
  now(): number;
  /** Moves the server's clock on, as if this much time had passed. */
  passTime(duration_ms: number): Promise<void>;
  /** Ends the process and removes its data. */
  remove(): Promise<void>;
}

interface ServerOptions {
  /** Settings beside those that make it a server of its own. */
  env?: Record<string, string>;
  /** What it begins with; unless given it makes its database itself. */
  template?: DataTemplate | undefined;
}

/** Throws when it is not ready within three minutes. */
export async function startServer({ env: settings = {}, template }: ServerOptions = {}): Promise<Server> {
  // Made by the server itself, with the rights that its database needs.
  const data_dir = join(tmpdir(), `sendlap-e2e-${randomUUID()}`);
  await template?.copyTo(data_dir);
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const own = { PORT: String(port), DATA_DIR: data_dir, LOG_LEVEL: 'warn', PUBLIC_URL: url };
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...own, ...settings };
  let child: ChildProcess | undefined;
  let shift_ms = 0;

  async function start(): Promise<void> {
    child = spawn(process.execPath, ['--import', './e2e/shiftable-clock.mjs', 'apps/api/src/main.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    await Promise.all([saysReady(child, env.PUBLIC_URL), setShift(child, shift_ms)]);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child.kill(signal);
    await Promise.race([ended, pause(STOP_TIMEOUT_MS)]);
  }
  async function remove(): Promise<void> {
    await end('SIGTERM');
    // What was ended while it made its database may still be writing there.
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
  await start().catch(async (error: unknown) => {
    await remove().catch(() => {});
    throw error;
  });
  return {
    url,
    data_dir,
    start,
    remove,
    sendlap: (...args) => runSendlap(args, env),
    kill: () => end('SIGKILL'),
    now: () => Date.now() + shift_ms,
    async passTime(duration_ms) {
      shift_ms += duration_ms;
      if (child) await setShift(child, shift_ms);
    },
  };
}

function setShift(child: ChildProcess, shift_ms: number): Promise<void> {
  return new Promise((resolve) => {
    child.once('message', () => resolve());
    child.send({ shift_ms });
  });
}

/** By its own word: whatever else answers at that port is another server, which took it meanwhile. */
async function saysReady(child: ChildProcess, url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    said = (said + chunk.toString()).slice(-MAX_SAID);
    if (said.includes(`ready at ${url}`)) resolve();
  });
  child.once('exit', (code) => reject(new Error(`the server ended with code ${code}`)));
  const timer = setTimeout(() => reject(new Error('the server did not get ready')), READY_TIMEOUT_MS);
  await promise.finally(() => clearTimeout(timer));
}

function runSendlap(args: string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['apps/api/src/cli/main.ts', ...args], { cwd: ROOT, env });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.once('error', reject);
    child.once('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`sendlap ${args.join(' ')} ended with ${code}: ${output}`)),
    );
  });
}
