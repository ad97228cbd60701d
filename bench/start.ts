import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Figure, openFigureSheet } from '../tools/programs/figures.ts';
import { sized } from '../tools/programs/program-size.ts';
import { COMPILE_CACHE, ROOT } from '../tools/project/project.ts';
import { median } from './load/print.ts';

const PORT = 18_431;
const ROUNDS = sized(5, 1);
const GOAL_S = 3;

/**
 * The time of `npm start` on a warm tree until /readyz reports ready: after a clean stop, and after a kill -9, when the
 * leftover PostgreSQL is adopted. The peer is a bare Fastify that does nothing but listen.
 */
export async function run(): Promise<Figure[]> {
  const sheet = openFigureSheet();
  const data_dir = join(tmpdir(), `sendlap-bench-${randomUUID()}`);
  const own = ['tools/start.ts'];
  const bare = ['apps/api/test/measured/hello.ts'];
  try {
    sheet.add('first start, with initdb and schema', seconds(await timeStart(own, data_dir, 'SIGTERM')));
    const times: Record<'bare' | 'stopped' | 'killed', number[]> = { bare: [], stopped: [], killed: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.bare.push(await timeStart(bare, data_dir, 'SIGTERM'));
      times.stopped.push(await timeStart(own, data_dir, 'SIGKILL'));
      times.killed.push(await timeStart(own, data_dir, 'SIGTERM'));
    }
    const peer = median(times.bare);
    sheet.add('bare Fastify', seconds(peer));
    for (const [name, label] of Object.entries({ stopped: 'after a clean stop', killed: 'after a kill -9' } as const)) {
      const own_times = times[name as 'stopped' | 'killed'];
      const ratio = (median(own_times) / peer).toFixed(1);
      sheet.goal(label, median(own_times) / 1000, { at_most: GOAL_S }, ' s');
      console.log(`     (${ratio} × bare, worst ${seconds(Math.max(...own_times))})`);
    }
    return sheet.figures;
  } finally {
    await rm(data_dir, { recursive: true, force: true });
  }
}

/**
 * Returns ms from the spawn to the first successful answer; then ends the process by this signal and waits for its end.
 */
async function timeStart(args: string[], data_dir: string, signal: NodeJS.Signals): Promise<number> {
  const own_env = { PORT: String(PORT), DATA_DIR: data_dir, LOG_LEVEL: 'silent' };
  const env = { NODE_COMPILE_CACHE: COMPILE_CACHE, MALLOC_ARENA_MAX: '2', ...process.env, ...own_env };
  const started_at = performance.now();
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const address = await Promise.race([firstPort(child), Promise.resolve(PORT).then((port) => waitFor(port, child))]);
  const duration_ms = performance.now() - started_at;
  if (address === undefined) throw new Error('the server did not start');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
  return duration_ms;
}

/** The bare server prints its port itself. */
function firstPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => child.once('message', (message) => resolve((message as { port: number }).port)));
}

async function waitFor(port: number, child: ChildProcess): Promise<number | undefined> {
  while (child.exitCode === null && child.signalCode === null) {
    const reply = await fetch(`http://localhost:${port}/readyz`).catch(() => undefined);
    if (reply?.ok) return port;
    await pause(10);
  }
  return undefined;
}

function seconds(duration_ms: number): string {
  return `${(duration_ms / 1000).toFixed(2)} s`;
}
