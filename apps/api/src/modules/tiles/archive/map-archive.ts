import { LRUCache } from 'lru-cache';
import { Compression, EtagMismatch, type Header } from 'pmtiles';
import { AppError } from '#api/platform/errors.ts';
import { StartError } from '#api/platform/start-error.ts';
import { systemTimer, type Timer } from '#api/platform/timer.ts';
import { createByteSource } from './byte-source.ts';
import { createCheckedReader, decompress, InvalidArchive, type TileSourceFacts } from './checked-reader.ts';
import { SourceUnreachable, SourceUnusable } from './redirects.ts';
import type { TileAddress } from './tile-address.ts';
import { EMPTY_TILE, type MapTile, type TileSource } from './tile-source.ts';

export interface MapArchiveOptions {
  /** Time limit (ms) of one reply of the host. */
  timeout_ms?: number;
  /** Time (ms) that `open` and `describe` wait for all replies; the opening continues after that. */
  open_ms?: number;
  /** Time (ms) before a failed host is queried again. */
  pause_ms?: number;
  timer?: Timer;
}

const PAUSE_MS = 5000;
/** A server start times out after 10 s. */
const OPEN_MS = 5000;
const CACHE_BYTES = 16 * 1024 * 1024;
/** Memory of a cached tile besides its bytes. */
const ENTRY_BYTES = 200;

/**
 * Reads tiles of a PMTiles archive; `location` is a file or an http(s) address. Cached tiles are served regardless of
 * the archive's state, until a new version of it is open.
 */
export function createMapArchive(location: string, options: MapArchiveOptions = {}): TileSource {
  const { timeout_ms, open_ms = OPEN_MS, pause_ms = PAUSE_MS, timer = systemTimer } = options;
  const source = createByteSource(location, timeout_ms);
  let reader = createCheckedReader(source);
  let open: { header: Header; facts: TileSourceFacts; version: number } | undefined;
  let opening: Promise<typeof open & object> | undefined;
  let paused: { until_ms: number; cause: unknown } | undefined;
  /** When a damaged part was found: perhaps a new archive replaced it, on a host that sends no version. */
  let damaged_at_ms: number | undefined;

  const tiles = new LRUCache<string, MapTile, TileAddress>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => ENTRY_BYTES + bytes.length,
    fetchMethod: (_, __, { context }) => readTile(context),
    ignoreFetchAbort: true,
  });

  async function withPause<Value>(read: () => Promise<Value>): Promise<Value> {
    if (paused && timer.now() < paused.until_ms) throw paused.cause;
    paused = undefined;
    if (damaged_at_ms !== undefined && timer.now() >= damaged_at_ms + pause_ms) {
      reader = createCheckedReader(source);
      damaged_at_ms = undefined;
    }
    try {
      return await read();
    } catch (error) {
      if (error instanceof InvalidArchive) damaged_at_ms ??= timer.now();
      const is_paused = !open || error instanceof SourceUnreachable || error instanceof SourceUnusable;
      if (is_paused && !(error instanceof EtagMismatch)) paused = { until_ms: timer.now() + pause_ms, cause: error };
      throw error;
    }
  }

  /** Returns the open archive; another header than before means a new version. */
  async function readOpen() {
    const header = await reader.getHeader();
    if (open?.header !== header) {
      open = { header, facts: await reader.readFacts(), version: (open?.version ?? 0) + 1 };
    }
    return open;
  }

  function openOnce() {
    opening ??= withPause(readOpen).finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function readTile(address: TileAddress): Promise<MapTile> {
    return withPause(async () => {
      const compressed = await reader.readTile(address);
      const { header } = await readOpen();
      if (!compressed) return EMPTY_TILE;
      // Decompressed even if sent compressed, to detect damage: browsers would cache a damaged tile for a week.
      const decompressed = new Uint8Array(await decompress(compressed.buffer, header.tileCompression));
      // Every browser supports gzip; other compressions are not worth a second copy.
      const gzipped = header.tileCompression === Compression.Gzip && decompressed.length > 0;
      return { bytes: gzipped ? compressed : decompressed, gzipped };
    });
  }

  return {
    async open(): Promise<Error | undefined> {
      try {
        await withTimeout(openOnce(), open_ms, timer);
        return undefined;
      } catch (error) {
        if (error instanceof SourceUnreachable || error instanceof EtagMismatch) return error;
        throw new StartError(`MAP_STREETS: ${reasonOf(error)}`);
      }
    },
    async describe(): Promise<TileSourceFacts | undefined> {
      const described = open ?? (await withTimeout(openOnce(), open_ms, timer).catch(() => undefined));
      return described?.facts;
    },
    async getTile(address: TileAddress): Promise<MapTile> {
      try {
        const { version } = open ?? (await openOnce());
        const tile = await tiles.fetch(`${version}/${address.z}/${address.x}/${address.y}`, { context: address });
        if (!tile) throw new Error('the tile was given up');
        return tile;
      } catch (cause) {
        throw new AppError('unavailable', 'This part of the map is not available right now', {
          cause,
          retry_after_s: Math.ceil(pause_ms / 1000),
        });
      }
    },
  };
}

/** Rejects with SourceUnreachable after `open_ms`; the opening continues. */
export function withTimeout<Opened>(opening: Promise<Opened>, open_ms: number, timer: Timer): Promise<Opened> {
  const timeout = Promise.withResolvers<never>();
  const cancel = timer.after(open_ms, () =>
    timeout.reject(new SourceUnreachable('The address takes too long to answer')),
  );
  return Promise.race([opening, timeout.promise]).finally(cancel);
}

function reasonOf(error: unknown): string {
  if (error instanceof InvalidArchive || error instanceof SourceUnusable) return error.message;
  if (!(error instanceof Error) || !('code' in error)) throw error;
  if (error.code === 'ENOENT') return 'there is no file at this place';
  return error.code === 'EISDIR' ? 'this is a folder, not a file' : `the file cannot be read (${error.code})`;
}
