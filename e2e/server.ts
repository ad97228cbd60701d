import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { findFreePort } from '../apps/api/test/free-port.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const READY_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;

/** The real server with its own PostgreSQL on a data folder of its own, as `npm start` runs it. */
export interface Server {
  url: string;
  data_dir: string;
  /** Runs the operator's line and gives what it printed. Throws when it fails. */
  sendlap(...args: string[]): Promise<string>;
  /** Ends the process as a crash would. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Moves the server's clock on, as if this much time had passed. */
  passTime(duration_ms: number): Promise<void>;
  /** Ends the process and removes its data. */
  remove(): Promise<void>;
}

/** `env`: settings beside those that make it a server of its own. */
export async function startServer({ env: settings = {} }: { env?: Record<string, string> } = {}): Promise<Server> {
  // Made by the server itself, with the rights that its database needs.
  const data_dir = join(tmpdir(), `sendlap-e2e-${randomUUID()}`);
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const own = { PORT: String(port), DATA_DIR: data_dir, LOG_LEVEL: 'warn', PUBLIC_URL: url };
  const env = { ...process.env, ...own, ...settings };
  let child: ChildProcess | undefined;
  let shift_ms = 0;

  async function start(): Promise<void> {
    child = spawn(process.execPath, ['--import', './e2e/shiftable-clock.mjs', 'apps/api/src/main.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await setShift(child, shift_ms);
    await waitUntilReady(url, child);
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child?.once('exit', resolve));
    child.kill(signal);
    await Promise.race([ended, pause(STOP_TIMEOUT_MS)]);
  }
  await start();
  return {
    url,
    data_dir,
    start,
    sendlap: (...args) => runSendlap(args, env),
    kill: () => end('SIGKILL'),
    async passTime(duration_ms) {
      shift_ms += duration_ms;
      if (child) await setShift(child, shift_ms);
    },
    async remove() {
      await end('SIGTERM');
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

function setShift(child: ChildProcess, shift_ms: number): Promise<void> {
  return new Promise((resolve) => {
    child.once('message', () => resolve());
    child.send({ shift_ms });
  });
}

async function waitUntilReady(url: string, child: ChildProcess): Promise<void> {
  const give_up_at = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < give_up_at) {
    if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`);
    const reply = await fetch(`${url}/readyz`).catch(() => undefined);
    if (reply?.ok) return;
    await pause(50);
  }
  throw new Error('the server did not get ready');
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
