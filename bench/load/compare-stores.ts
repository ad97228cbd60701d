import { quantile } from './print.ts';

export interface StoreFigure {
  /** The average: the clock of CPU time is too coarse for a single query, but ignores other processes. */
  cpu_us: number;
  p50_us: number;
  p99_us: number;
}

const BLOCK = 500;

/** Times each query of both stores, in alternating blocks, after a warm-up round. */
export function compareStores<Query>(
  queries: readonly Query[],
  own: (query: Query) => unknown,
  peer: (query: Query) => unknown,
): { own: StoreFigure; peer: StoreFigure } {
  for (const query of queries.slice(0, 2 * BLOCK)) {
    own(query);
    peer(query);
  }
  const [ownTimer, peerTimer] = [createTimer(own), createTimer(peer)];
  for (let at = 0; at < queries.length; at += BLOCK) {
    const block = queries.slice(at, at + BLOCK);
    ownTimer.time(block);
    peerTimer.time(block);
  }
  return { own: ownTimer.figure(), peer: peerTimer.figure() };
}

function createTimer<Query>(search: (query: Query) => unknown) {
  const times_us: number[] = [];
  let cpu_us = 0;
  return {
    time(queries: readonly Query[]): void {
      const before = process.threadCpuUsage();
      for (const query of queries) {
        const started_at = performance.now();
        search(query);
        times_us.push((performance.now() - started_at) * 1000);
      }
      const { user, system } = process.threadCpuUsage(before);
      cpu_us += user + system;
    },
    figure: (): StoreFigure => ({
      cpu_us: cpu_us / times_us.length,
      p50_us: quantile(times_us, 0.5),
      p99_us: quantile(times_us, 0.99),
    }),
  };
}
