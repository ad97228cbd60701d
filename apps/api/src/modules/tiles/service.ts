import { type ChildProcess, fork } from 'node:child_process';
import type { Reply } from '@sendlap/contract/endpoint.ts';
import type { getMapConfig } from '@sendlap/contract/tiles.ts';
import { AppError } from '#api/platform/errors.ts';
import { createStreets, type StreetsOptions, type StreetTile } from './streets.ts';
import { isTileAddress, MAX_TILE_ZOOM, type TileAddress } from './tile-address.ts';
import { createTileCache } from './tile-cache.ts';
import type { TileDelivery, TileOrder } from './tile-process.ts';

type MapConfig = Reply<typeof getMapConfig>;

export interface TileService {
  /** The tile's bytes. Throws `bad_request` for an address that no tile has. */
  getTile(address: TileAddress): Promise<Uint8Array>;
  /**
   * A tile of the operator's map. Throws `bad_request` for an address that no tile has, `not_found` without such a map
   * and `unavailable` while its host cannot be reached.
   */
  getStreetTile(address: TileAddress): Promise<StreetTile>;
  /** `settled` is false while the host of the operator's map cannot be reached. */
  getMapConfig(): Promise<{ config: MapConfig; settled: boolean }>;
  /**
   * Opens the operator's map. Throws a StartError for a file that is none; gives the problem where its host cannot be
   * reached just now, which later questions try again.
   */
  openStreets(): Promise<Error | undefined>;
  /** Starts reading the world in the background, so that the first map does not wait for it. */
  warmUp(): void;
  close(): void;
}

interface TileServiceOptions extends CutterOptions, StreetsOptions {
  /** A PMTiles file of streets, or its http(s) address. */
  pmtiles?: string | undefined;
}

interface CutterOptions {
  /** A process that cuts nothing for so long ends. */
  idle_ms?: number;
  /** The index keeps what it ever cut; after so many tiles a new process takes over. */
  max_cuts?: number;
}

const WORLD_ATTRIBUTION = 'Natural Earth, GeoNames (CC BY 4.0)';
/** The deepest level that addresses can name; MapLibre draws no deeper one. */
const MAX_STREET_ZOOM = 24;

const IDLE_MS = 5 * 60_000;
const MAX_CUTS = 4000;

interface Cutter {
  child: ChildProcess;
  waiting: Map<number, PromiseWithResolvers<Uint8Array>>;
  cuts: number;
  /** Takes no more orders, and ends with the last tile that it owes. */
  is_leaving: boolean;
}

/** Tiles of the world, cut here, and of the operator's map, where there is one. */
export function createTileService({ pmtiles, ...options }: TileServiceOptions = {}): TileService {
  const cache = createTileCache();
  const world = createCutter(options);
  const streets = pmtiles === undefined ? undefined : createStreets(pmtiles, options);
  return {
    async getTile(address) {
      checkAddress(address, MAX_TILE_ZOOM);
      return cache.get(address, () => world.cut(address));
    },
    async getStreetTile(address) {
      if (!streets) throw new AppError('not_found', 'This server has no map of streets');
      checkAddress(address, MAX_STREET_ZOOM);
      return streets.getTile(address);
    },
    async getMapConfig() {
      const facts = (await streets?.describe()) ?? null;
      const config = { world: { max_zoom: MAX_TILE_ZOOM, attribution: WORLD_ATTRIBUTION }, streets: facts };
      return { config, settled: !streets || facts !== null };
    },
    openStreets: () => streets?.open() ?? Promise.resolve(undefined),
    warmUp: () => world.warmUp(),
    close: () => world.close(),
  };
}

function checkAddress(address: TileAddress, max_zoom: number): void {
  if (!isTileAddress(address, max_zoom)) throw new AppError('bad_request', 'There is no tile at this zoom, x and y');
}

/**
 * Cuts tiles in a process of its own, which exists only while maps are looked at. A process and not a thread: reading
 * the world takes 200 MB for a moment, and a thread leaves them with the server.
 */
function createCutter({ idle_ms = IDLE_MS, max_cuts = MAX_CUTS }: CutterOptions) {
  const running = new Set<Cutter>();
  let cutter: Cutter | undefined;
  let idle: NodeJS.Timeout | undefined;

  function retire(): void {
    if (cutter) cutter.is_leaving = true;
    if (cutter?.waiting.size === 0) cutter.child.kill();
    cutter = undefined;
  }

  function currentCutter(): Cutter {
    if (cutter && cutter.cuts >= max_cuts) retire();
    if (!cutter) {
      cutter = startCutter((ended) => {
        running.delete(ended);
        if (cutter === ended) cutter = undefined;
      });
      running.add(cutter);
    }
    clearTimeout(idle);
    idle = setTimeout(retire, idle_ms).unref();
    return cutter;
  }

  return {
    cut(address: TileAddress): Promise<Uint8Array> {
      const current = currentCutter();
      current.cuts += 1;
      const answer = Promise.withResolvers<Uint8Array>();
      current.waiting.set(current.cuts, answer);
      current.child.send({ order: current.cuts, ...address } satisfies TileOrder);
      return answer.promise;
    },
    warmUp(): void {
      currentCutter();
    },
    close(): void {
      clearTimeout(idle);
      for (const { child } of running) child.kill();
    },
  };
}

function startCutter(onEnd: (cutter: Cutter) => void): Cutter {
  const child = fork(new URL('./tile-process.ts', import.meta.url), {
    execArgv: ['--max-semi-space-size=4', '--expose-gc'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const cutter: Cutter = { child, waiting: new Map(), cuts: 0, is_leaving: false };
  child.unref();
  child.channel?.unref();
  child.on('message', ({ order, tile }: TileDelivery) => {
    cutter.waiting.get(order)?.resolve(tile);
    cutter.waiting.delete(order);
    if (cutter.is_leaving && cutter.waiting.size === 0) child.kill();
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
