import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { AppError } from '#api/platform/errors.ts';
import { StartError } from '#api/platform/start-error.ts';
import { systemTimer, type Timer } from '#api/platform/timer.ts';
import type { TileSourceFacts } from '../archive/checked-reader.ts';
import { withTimeout } from '../archive/map-archive.ts';
import { SourceUnreachable, SourceUnusable } from '../archive/redirects.ts';
import type { TileAddress } from '../archive/tile-address.ts';
import { EMPTY_TILE, type MapTile, type TileSource } from '../archive/tile-source.ts';
import { createTileCache, type KeptTile, type TileCacheLimits } from './tile-cache.ts';
import { createUpstream } from './upstream.ts';

export interface TileServerOptions extends Partial<TileCacheLimits> {
  /** Holds the kept tiles. */
  folder: string;
  /** Time limit (ms) of a reply of the server. */
  timeout_ms?: number | undefined;
  /** Time (ms) that `open` and `describe` wait for all replies; the opening continues after that. */
  open_ms?: number | undefined;
  /** Time (ms) before a failed server, or a tile that it sent damaged, is requested again. */
  pause_ms?: number | undefined;
  timer?: Timer | undefined;
  now?: (() => Date) | undefined;
}

const TIMEOUT_MS = 5_000;
const OPEN_MS = 5_000;
const PAUSE_MS = 5_000;
const MAX_KEPT_BYTES = 200 * 1024 * 1024;
const MAX_KEPT_TILES = 20_000;
/** After that a kept tile is requested again; it is still served if the server is down. */
const FRESH_MS = 7 * 86_400_000;
const MAX_REFUSED = 10_000;

/** Serves the tiles of a vector tile server, and keeps them: visitors never talk to that server. */
export function createTileServer(template: string, options: TileServerOptions): TileSource {
  const { folder, timeout_ms = TIMEOUT_MS, open_ms = OPEN_MS, pause_ms = PAUSE_MS, timer = systemTimer } = options;
  const { max_bytes = MAX_KEPT_BYTES, max_tiles = MAX_KEPT_TILES, now = () => new Date() } = options;
  const name = createHash('sha256').update(template).digest('hex').slice(0, 16);
  const facts_file = join(folder, `${name}.json`);
  const cache = createTileCache(join(folder, name), { max_bytes, max_tiles });
  const upstream = createUpstream(template, { timeout_ms, pause_ms, timer });
  const refused_until_ms = new LRUCache<string, number>({ max: MAX_REFUSED });
  const flights = new Map<string, Promise<MapTile>>();
  let facts: TileSourceFacts | undefined;
  let opening: Promise<TileSourceFacts> | undefined;

  async function readFacts(): Promise<TileSourceFacts> {
    facts = await upstream.readFacts();
    await writeFile(facts_file, JSON.stringify(facts)).catch(() => {});
    return facts;
  }

  async function openOnce(): Promise<TileSourceFacts> {
    if (facts) return facts;
    opening ??= readFacts().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function refresh(key: string, address: TileAddress): Promise<MapTile> {
    if (timer.now() < (refused_until_ms.get(key) ?? 0)) throw new SourceUnusable('the tile was damaged');
    try {
      const tile = await upstream.fetchTile(address);
      // On a full disk, the tile is only not kept.
      await cache.write(key, tile.bytes).catch(() => {});
      return tile;
    } catch (error) {
      if (error instanceof SourceUnusable) refused_until_ms.set(key, timer.now() + pause_ms);
      throw error;
    }
  }

  function refreshOnce(key: string, address: TileAddress): Promise<MapTile> {
    const running = flights.get(key);
    if (running !== undefined) return running;
    const flight = refresh(key, address).finally(() => flights.delete(key));
    flights.set(key, flight);
    return flight;
  }

  return {
    async open() {
      // In a folder that cannot be written, no tile is kept.
      await deleteOthers(folder, name).catch(() => {});
      try {
        await withTimeout(openOnce(), open_ms, timer);
        return undefined;
      } catch (error) {
        if (error instanceof SourceUnreachable) return error;
        if (error instanceof SourceUnusable) throw new StartError(`MAP_STREETS: ${error.message}`);
        throw error;
      }
    },
    // While the server is down, kept tiles are drawn as it last described them.
    describe: () => withTimeout(openOnce(), open_ms, timer).catch(() => readLastFacts(facts_file)),
    async getTile(address) {
      if (facts && address.z > facts.max_zoom) return EMPTY_TILE;
      const key = `${address.z}-${address.x}-${address.y}`;
      const kept = await cache.read(key).catch(() => undefined);
      if (kept && now().getTime() - kept.kept_at_ms < FRESH_MS) return toTile(kept);
      try {
        return await refreshOnce(key, address);
      } catch (cause) {
        if (kept) return toTile(kept);
        throw unavailable(cause, pause_ms);
      }
    },
  };
}

function unavailable(cause: unknown, pause_ms: number): AppError {
  const retry_after_s = Math.ceil(pause_ms / 1000);
  return new AppError('unavailable', 'This part of the map is not available right now', { cause, retry_after_s });
}

function toTile({ bytes }: KeptTile): MapTile {
  return { bytes, gzipped: bytes[0] === 0x1f && bytes[1] === 0x8b };
}

/** Deletes the tiles of servers that the setting named before. */
async function deleteOthers(folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((each) => !each.startsWith(name));
  await Promise.all(names.map((each) => rm(join(folder, each), { recursive: true, force: true })));
}

async function readLastFacts(file: string): Promise<TileSourceFacts | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as TileSourceFacts;
  } catch {
    return undefined;
  }
}
