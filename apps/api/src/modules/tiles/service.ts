import { type ChildProcess, fork } from 'node:child_process';
import { AppError } from '#api/platform/errors.ts';
import { isTileAddress, type TileAddress } from './tile-address.ts';
import { createTileCache } from './tile-cache.ts';
import type { TileDelivery, TileOrder } from './tile-process.ts';

export interface TileService {
  /** The tile's bytes. Throws `bad_request` for an address that no tile has. */
  getTile(address: TileAddress): Promise<Uint8Array>;
  /** Starts reading the world in the background, so that the first map does not wait for it. */
  warmUp(): void;
  close(): void;
}

interface TileServiceOptions {
  /** A process that cuts nothing for so long ends. */
  idle_ms?: number;
  /** The index keeps what it ever cut; after so many tiles a new process takes over. */
  max_cuts?: number;
}

const IDLE_MS = 5 * 60_000;
const MAX_CUTS = 4000;

interface Cutter {
  child: ChildProcess;
  waiting: Map<number, PromiseWithResolvers<Uint8Array>>;
  cuts: number;
}

/**
 * Cuts tiles in a process of its own, which exists only while maps are looked at, and keeps recent ones. A process
 * and not a thread: reading the world takes 300 MB for a moment, and a thread leaves them with the server.
 */
export function createTileService({ idle_ms = IDLE_MS, max_cuts = MAX_CUTS }: TileServiceOptions = {}): TileService {
  const cache = createTileCache();
  let cutter: Cutter | undefined;
  let idle: NodeJS.Timeout | undefined;

  function retire(): void {
    if (!cutter || cutter.waiting.size > 0) return;
    cutter.child.kill();
    cutter = undefined;
  }

  function currentCutter(): Cutter {
    if (cutter && cutter.cuts >= max_cuts) retire();
    cutter ??= startCutter((ended) => {
      if (cutter === ended) cutter = undefined;
    });
    clearTimeout(idle);
    idle = setTimeout(retire, idle_ms).unref();
    return cutter;
  }

  function cut(address: TileAddress): Promise<Uint8Array> {
    const current = currentCutter();
    current.cuts += 1;
    const answer = Promise.withResolvers<Uint8Array>();
    current.waiting.set(current.cuts, answer);
    current.child.send({ order: current.cuts, ...address } satisfies TileOrder);
    return answer.promise;
  }

  return {
    async getTile(address) {
      if (!isTileAddress(address)) throw new AppError('bad_request', 'There is no tile at this zoom, x and y');
      return cache.get(address, () => cut(address));
    },
    warmUp() {
      currentCutter();
    },
    close() {
      clearTimeout(idle);
      cutter?.child.kill();
    },
  };
}

function startCutter(onEnd: (cutter: Cutter) => void): Cutter {
  const child = fork(new URL('./tile-process.ts', import.meta.url), {
    execArgv: ['--max-semi-space-size=4'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const cutter: Cutter = { child, waiting: new Map(), cuts: 0 };
  child.unref();
  child.channel?.unref();
  child.on('message', ({ order, tile }: TileDelivery) => {
    cutter.waiting.get(order)?.resolve(tile);
    cutter.waiting.delete(order);
  });
  const end = (cause?: unknown) => {
    onEnd(cutter);
    const refusal = new AppError('unavailable', 'The map is not available just now', { cause, retry_after_s: 1 });
    for (const answer of cutter.waiting.values()) answer.reject(refusal);
    cutter.waiting.clear();
  };
  child.on('error', end);
  child.on('exit', () => end());
  return cutter;
}
