import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MadeAccount, NewAccount } from '../apps/api/test/accounts.ts';
import { afterDelay } from '../apps/api/test/delays.ts';
import { findFreePort } from '../apps/api/test/free-port.ts';
import { COMPILE_CACHE, ROOT } from './journey-environment.ts';
import { collectOutput, endProcess, setShift } from './server-process.ts';

const READY_TIMEOUT_MS = 180_000;

/** The real server on a database of its own. */
export interface Server {
  url: string;
  database_url: string;
  /** What the server's keys come from. */
  secret: string;
  /** Runs a command of the operator CLI. Throws when it fails. Returns its output. */
  sendlap(...args: string[]): Promise<string>;
  /** Makes in the database what a sign-up with e-mail and password makes. */
  createAccount(account: NewAccount): Promise<MadeAccount>;
  /** Ends it as SIGTERM does: its address answers no more until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** What the server's clock says, ms epoch. */
  now(): number;
  /** Moves the server's clock on, as if this much time had passed. */
  passTime(duration_ms: number): Promise<void>;
  /** The end of its output. */
  log(): string;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** A server with a process and a PostgreSQL of its own on a data folder of its own, as `npm start` runs it. */
export interface WholeServer extends Server {
  data_dir: string;
  /** Ends the process as a crash would. */
  kill(): Promise<void>;
}

interface ServerOptions {
  /** Settings beside those that make it a server of its own. */
  env?: Record<string, string>;
  /** Whether its output is also printed. */
  is_printing?: boolean;
}

/** Throws when it is not ready within three minutes. */
export async function startServer(options: ServerOptions = {}): Promise<WholeServer> {
  const { env: settings = {}, is_printing = true } = options;
  // Made by the server itself, with the rights that its database needs. The next run removes it should this one be killed.
  const data_dir = join(tmpdir(), `sendlap-e2e-${process.pid}-${randomUUID()}`);
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const own = { PORT: String(port), DATA_DIR: data_dir, LOG_LEVEL: 'warn', PUBLIC_URL: url };
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...own, ...settings };
  const output = collectOutput(is_printing);
  let child: ChildProcess | undefined;
  let shift_ms = 0;

  async function start(): Promise<void> {
    child = spawn(process.execPath, ['--import', './e2e/shiftable-clock.mjs', 'apps/api/src/main.ts'], {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    output.follow(child);
    await Promise.all([saysReady(child, env.PUBLIC_URL), setShift(child, shift_ms)]);
  }
  const end = async (signal: NodeJS.Signals) => child && endProcess(child, signal);
  async function remove(): Promise<void> {
    await end('SIGTERM');
    // What was ended while it made its database may still be writing there.
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
  }
  const now = () => Date.now() + shift_ms;
  try {
    await start();
    const { database_url, secret, createAccount } = await connect(data_dir, settings, now);
    return {
      url,
      data_dir,
      database_url,
      secret,
      createAccount,
      start,
      remove,
      sendlap: (...args) => runSendlap(args, env),
      stop: () => end('SIGTERM'),
      kill: () => end('SIGKILL'),
      now,
      async passTime(duration_ms) {
        shift_ms += duration_ms;
        if (child) await setShift(child, shift_ms);
      },
      log: output.text,
    };
  } catch (error) {
    await remove().catch(() => {});
    throw error;
  }
}

/** How others reach the database of a server that runs; its address stays the same over restarts. */
async function connect(data_dir: string, settings: Record<string, string>, now: () => number) {
  // Loaded only where a whole server runs: most journeys need none of it.
  const { addressOf, openOperator } = await import('../apps/api/test/operator.ts');
  const { DATABASE_URL, SECRET } = settings;
  const address = DATABASE_URL && SECRET ? { database_url: DATABASE_URL, secret: SECRET } : await addressOf(data_dir);
  return {
    ...address,
    async createAccount(account: NewAccount): Promise<MadeAccount> {
      const operator = await openOperator(address, () => new Date(now()));
      return operator.createAccount(account).finally(operator.close);
    },
  };
}

/** By its own word: whatever else answers at that port is another server, which took it meanwhile. */
async function saysReady(child: ChildProcess, url: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes(`ready at ${url}`)) resolve();
  });
  child.once('exit', (code, signal) => reject(new Error(`the server ended with ${signal ?? `code ${code}`}`)));
  const late = afterDelay(READY_TIMEOUT_MS, { ref: false });
  void late.then(() => reject(new Error('the server did not get ready')));
  await promise;
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
