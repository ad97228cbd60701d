import { type ChildProcess, fork, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const AUTOCANNON = fileURLToPath(new URL('../../node_modules/autocannon/autocannon.js', import.meta.url));
const COMPILE_CACHE = fileURLToPath(new URL('../../.cache/node', import.meta.url));
const CONNECTIONS = 10;
/** The flags and the environment of `npm start`. */
const FLAGS = ['--max-semi-space-size=16'];
const ENVIRONMENT = { NODE_COMPILE_CACHE: COMPILE_CACHE, MALLOC_ARENA_MAX: '2' };

/** The first message of a measured server to its parent: its address. */
interface Ready {
  port: number;
  path: string;
  headers: Record<string, string>;
}

export interface Load {
  requests_per_s: number;
  p99_ms: number;
  cpu_us_per_request: number;
}

export interface MeasuredServer {
  /** Loads the server for some seconds; throws if any reply is not 2xx. */
  load(duration_s: number): Promise<Load>;
  stop(): void;
}

/** Forks a script with the flags and the environment that the server has in production. */
export function forkAsInProduction(script: URL, env: Record<string, string> = {}): ChildProcess {
  return fork(fileURLToPath(script), { execArgv: FLAGS, env: { ...ENVIRONMENT, ...process.env, ...env } });
}

/** Starts a script that calls `serve` in a process of its own. */
export async function startMeasured(script: URL, env: Record<string, string> = {}): Promise<MeasuredServer> {
  const child = forkAsInProduction(script, env);
  const ready = await nextMessage<Ready>(child);
  return {
    async load(duration_s) {
      const before = await cpuTime(child);
      const result = await cannon(ready, duration_s);
      const after = await cpuTime(child);
      if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed`);
      return {
        requests_per_s: result.requests.average,
        p99_ms: result.latency.p99,
        cpu_us_per_request: (after - before) / result.requests.total,
      };
    },
    stop: () => void child.kill(),
  };
}

/** Returns the child's CPU time so far, in microseconds. */
export async function cpuTime(child: ChildProcess): Promise<number> {
  child.send('cpu');
  return (await nextMessage<{ cpu_us: number }>(child)).cpu_us;
}

/** Returns the child's next message; rejects if it ends instead. */
export function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`the server ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as Message);
    });
  });
}

interface CannonResult {
  non2xx: number;
  errors: number;
  requests: { average: number; total: number };
  latency: { p99: number };
}

/** In a process of its own, so that the load does not share the server's event loop. */
function cannon({ port, path, headers }: Ready, duration_s: number): Promise<CannonResult> {
  const headerFlags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const args = ['--json', '-c', String(CONNECTIONS), '-d', String(duration_s), ...headerFlags];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [AUTOCANNON, ...args, `http://127.0.0.1:${port}${path}`]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) resolve(JSON.parse(output) as CannonResult);
      else reject(new Error(`the load generator ended with ${code}`));
    });
  });
}
