import { STREET_TILES_PATH } from '@sendlap/contract/map/tiles.ts';
import { withFallback } from './database.ts';
import type { MapTile } from './schema.ts';
import { loadStoredTile, pinTile, putTile } from './tiles-store.ts';
import { retryAfterEviction } from './try-write.ts';

/** Lifetime of a tile (spec, section 9). */
const TILE_LIFETIME_MS = 7 * 86_400_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Statuses of a tile without content. */
const EMPTY_STATUSES = [204, 404];

export interface TileAddress {
  url: string;
  zoom: number;
  x: number;
  y: number;
}

/** The spec's zoom-x-y for the world; other layers put their name in front. */
function tileId({ url, zoom, x, y }: TileAddress): string {
  const id = `${zoom}-${x}-${y}`;
  return url.includes(`${STREET_TILES_PATH}/`) ? `streets-${id}` : id;
}

/**
 * Returns a vector tile: the copy on this device while it is fresh, else the server's, else the old copy. 0 bytes: an
 * empty tile. Rejects without any of them, or with the signal's reason.
 */
export async function loadTile(
  url: string,
  zoom: number,
  x: number,
  y: number,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  const address = { url, zoom, x, y };
  const copy = await withFallback(loadStoredTile(tileId(address)), undefined);
  if (copy && (isFresh(copy) || !navigator.onLine)) {
    // Its file may be gone by now: another tab freed space.
    const copy_bytes = await withFallback(copy.data.arrayBuffer(), undefined);
    if (copy_bytes) return copy_bytes;
  }
  try {
    const data = await fetchTile(url, signal);
    // The map does not wait for the disk. It transfers its bytes to a worker, so the disk gets a copy.
    const tile_record = createTileRecord(address, data.slice(0));
    void retryAfterEviction(() => putTile(tile_record), false);
    return data;
  } catch (error) {
    if (copy && !signal?.aborted) return copy.data.arrayBuffer();
    throw error;
  }
}

export type TileOutcome = 'stored' | 'no_room';

/** Fetches a tile unless a fresh copy exists, and pins it to a saved city. Rejects if the server is unreachable. */
export async function saveTileForCity(
  city_id: string,
  address: TileAddress,
  signal: AbortSignal,
): Promise<TileOutcome> {
  const copy = await withFallback(loadStoredTile(tileId(address)), undefined);
  if (copy && isFresh(copy) && (await retryAfterEviction(() => pinTile(copy.id, city_id), false))) return 'stored';
  const data = await fetchTile(address.url, signal);
  const is_stored = await retryAfterEviction(() => putTile(createTileRecord(address, data), city_id), false);
  return is_stored ? 'stored' : 'no_room';
}

function createTileRecord(address: TileAddress, data: ArrayBuffer) {
  const now = Date.now();
  return { id: tileId(address), ...address, data, cached_at: now, expires_at: now + TILE_LIFETIME_MS };
}

function isFresh({ expires_at }: MapTile): boolean {
  return Date.now() < expires_at;
}

async function fetchTile(url: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const response = await fetch(url, { signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  if (EMPTY_STATUSES.includes(response.status)) return new ArrayBuffer(0);
  if (!response.ok) throw new TileError(response.status);
  return response.arrayBuffer();
}

/** The server refused the tile, with this status. */
export class TileError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`map tile: ${status}`);
    this.name = 'TileError';
    this.status = status;
  }
}
