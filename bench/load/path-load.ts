import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { cpuTime, forkAsInProduction, nextMessage } from './measured-server.ts';
import type { CannonFigure, CannonOrder } from './path-cannon.ts';

const CANNON = fileURLToPath(new URL('./path-cannon.ts', import.meta.url));

export interface PathLoad extends CannonFigure {
  cpu_us_per_call: number;
}

/** A forked server that reported its port; 'cpu' and its own orders go to `child`, one at a time. */
export interface LoadedServer {
  child: ChildProcess;
  url: string;
}

/** Forks a script of measured servers and waits until it listens. */
export async function forkServer(script: URL, env: Record<string, string> = {}): Promise<LoadedServer> {
  const child = forkAsInProduction(script, env);
  const { port } = await nextMessage<{ port: number }>(child);
  return { child, url: `http://localhost:${port}` };
}

/** Ends the servers and waits until they have cleaned up. */
export async function endServers(servers: readonly LoadedServer[]): Promise<void> {
  const living = servers.filter(({ child }) => child.connected);
  const ends = living.map(({ child }) => new Promise((resolve) => child.once('exit', resolve)));
  for (const { child } of living) child.disconnect();
  await Promise.all(ends);
}

/** Sends one of the server's own orders and returns its answer. */
export async function order<Answer>({ child }: LoadedServer, message: object | string): Promise<Answer> {
  child.send(message);
  return await nextMessage<Answer>(child);
}

/** The requests of the callers, one list of paths each, and the duration. */
export type PathOrder = Omit<CannonOrder, 'url'>;

/** Each caller sends its next call as soon as the last is answered. Throws unless all are 2xx. */
export async function loadPaths(url: string, what: PathOrder): Promise<CannonFigure> {
  const cannon = fork(CANNON);
  cannon.send({ url, ...what } satisfies CannonOrder);
  const figure = await nextMessage<CannonFigure>(cannon);
  if (figure.failed > 0) throw new Error(`${figure.failed} calls failed`);
  return figure;
}

/** As `loadPaths`, with the server's CPU time between two of its answers. */
export async function measurePaths({ child, url }: LoadedServer, what: PathOrder): Promise<PathLoad> {
  const before = await cpuTime(child);
  const figure = await loadPaths(url, what);
  return { ...figure, cpu_us_per_call: ((await cpuTime(child)) - before) / figure.calls };
}
