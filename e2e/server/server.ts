import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MadeAccount, NewAccount } from '../../apps/api/test/accounts.ts';
import { afterDelay } from '../../apps/api/test/delays.ts';
import { findFreePort } from '../../apps/api/test/free-port.ts';
import { COMPILE_CACHE, ROOT } from './journey-environment.ts';
import { collectOutput, endProcess, setShift } from './server-process.ts';

const READY_TIMEOUT_MS = 180_000;
/** The last characters of its output in the error of a server that did not start: no test has it yet to attach its log. */
const LOG_IN_ERROR = 2_000;

/** The real server on a database of its own. */
export interface Server {
  url: string;
  database_url: string;
  /** The secret from which the server's keys are derived. */
  secret: string;
  /** Runs a command of the operator CLI. Throws if it fails. Returns its output. */
  sendlap(...args: string[]): Promise<string>;
  /** Creates the rows that a sign-up with e-mail and password creates. */
  createAccount(account: NewAccount): Promise<MadeAccount>;
  /** Stops it as SIGTERM does: its address does not answer until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Returns the time of the server's clock, ms epoch. */
  now(): number;
  /** Moves the server's clock forward by this much. */
  passTime(duration_ms: number): Promise<void>;
  /** Returns the end of its output. */
  log(): string;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** A server with a process and a PostgreSQL of its own on a data folder of its own, as `npm start` runs it. */
export interface WholeServer extends Server {
  data_dir: string;
  /** `root`: the tree of another version. */
  start(root?: string): Promise<void>;
  /** Kills the process, as in a crash. */
  kill(): Promise<void>;
}

interface ServerOptions {
  /** Settings beyond those that give it its own address and database. */
  env?: Record<string, string>;
  /** The name in its public address, with https; its certificate is named in `env`. */
  https_host?: string;
  /** As `npm start -- --phone` runs it. */
  is_for_phones?: boolean;
  /** Whether its output is also printed. */
  is_printing?: boolean;
  /** A folder with the data of an earlier server; it is removed too. */
  data_dir?: string;
}

/** Throws if it is not ready within three minutes. */
export async function startServer(options: ServerOptions = {}): Promise<WholeServer> {
  const { env: settings = {}, https_host, is_for_phones = false, is_printing = true } = options;
  // The server itself creates the folder, with the rights that its database needs. If this run is killed, the next one
  // removes it.
  const { data_dir = join(tmpdir(), `sendlap-e2e-${process.pid}-${randomUUID()}`) } = options;
  const port = await findFreePort();
  const host = https_host ?? (is_for_phones ? '127.0.0.1' : undefined);
  const url = host ? `https://${host}:${port}` : `http://localhost:${port}`;
  const own = { PORT: String(port), DATA_DIR: data_dir, LOG_LEVEL: 'warn', PUBLIC_URL: url };
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...own, ...settings };
  const output = collectOutput(is_printing);
  let child: ChildProcess | undefined;
  let shift_ms = 0;

  async function start(root = ROOT): Promise<void> {
    const program = ['--import', './e2e/server/shiftable-clock.mjs', 'apps/api/src/main.ts'];
    child = spawn(process.execPath, [...program, ...(is_for_phones ? ['--phone'] : [])], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    output.follow(child);
    await Promise.all([saysReady(child, env.PUBLIC_URL, output.text), setShift(child, shift_ms)]);
  }
  const end = async (signal: NodeJS.Signals) => child && endProcess(child, signal);
  async function remove(): Promise<void> {
    await end('SIGTERM');
    // A server that was stopped while creating its database may still be writing there.
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

/** Connects to a running server's database; its address stays the same over restarts. */
async function connect(data_dir: string, settings: Record<string, string>, now: () => number) {
  // Imported only for a whole server: most journeys do not need it.
  const { addressOf, openOperator } = await import('../../apps/api/test/app/operator.ts');
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

/** Waits for the child's own output: an answer at that port could come from another server that has taken it. */
async function saysReady(child: ChildProcess, url: string, log: () => string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let said = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes(`ready at ${url}`)) resolve();
  });
  child.once('close', (code, signal) =>
    reject(new Error(`the server ended with ${signal ?? `code ${code}`}: ${log().slice(-LOG_IN_ERROR)}`)),
  );
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
