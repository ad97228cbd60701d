import { Compression } from 'pmtiles';
import { AppError } from '#api/platform/errors.ts';
import { StartError } from '#api/platform/start-error.ts';
import { systemTimer, type Timer } from '#api/platform/timer.ts';
import { createSource } from './byte-source.ts';
import { type Archive, type ArchiveFacts, ArchiveRefused, openArchive, unpack } from './pmtiles-archive.ts';
import { SourceChanged, SourceUnfit, SourceUnreachable } from './source-faults.ts';
import type { TileAddress } from './tile-address.ts';
import { createTileCache, type TileCache } from './tile-cache.ts';

/** A tile of the operator's map, as it is kept. */
export interface StreetTile {
  /** Of no length where the map has nothing. */
  bytes: Uint8Array;
  gzipped: boolean;
}

/** The operator's map of streets. */
export interface Streets {
  /**
   * Opens the map. Throws a StartError for a file that never will be one; where a host is not reached in time, gives that
   * problem, and later questions try again.
   */
  open(): Promise<Error | undefined>;
  /** undefined until the map is open. */
  describe(): Promise<ArchiveFacts | undefined>;
  /** Throws `unavailable` while the map cannot be reached, and for a tile that is damaged. */
  getTile(address: TileAddress): Promise<StreetTile>;
}

export interface StreetsOptions {
  /** So long an answer of the host may take. */
  timeout_ms?: number;
  /** So long whoever wants the map open waits for all its answers; it goes on being opened meanwhile. */
  open_ms?: number;
  /** So long a host that failed is not asked again. */
  pause_ms?: number;
  timer?: Timer;
}

interface OpenMap {
  archive: Archive;
  cache: TileCache;
  /** When a part of it was first found damaged, which may mean that it was replaced by a map of the same looks. */
  doubted_ms?: number;
}

const PAUSE_MS = 5000;
/** A server that starts is given up after 10 s. */
const OPEN_MS = 5000;

/**
 * Reads tiles of a PMTiles archive; `location` is a file or an http(s) address. What was read once stays, whatever
 * happens to the map, until a new one is open in its place.
 */
export function createStreets(location: string, options: StreetsOptions = {}): Streets {
  const { timeout_ms, open_ms = OPEN_MS, pause_ms = PAUSE_MS, timer = systemTimer } = options;
  let current: OpenMap | undefined;
  let opening: Promise<OpenMap> | undefined;
  let paused: { until_ms: number; cause: unknown } | undefined;

  function pause(cause: unknown): void {
    paused = { until_ms: timer.now() + pause_ms, cause };
  }

  function checkPause(): void {
    if (paused && timer.now() < paused.until_ms) throw paused.cause;
    paused = undefined;
  }

  /** Tries once more where the file was replaced in the meantime. */
  async function openMap(attempts = 2): Promise<OpenMap> {
    checkPause();
    try {
      return { archive: await openArchive(createSource(location, timeout_ms)), cache: createTileCache() };
    } catch (error) {
      if (error instanceof SourceChanged && attempts > 1) return openMap(attempts - 1);
      pause(error);
      throw error;
    }
  }

  /** The map after `outdated`; callers at the same time share one opening. */
  async function renew(outdated?: OpenMap): Promise<OpenMap> {
    if (current && current !== outdated) return current;
    opening ??= openMap().finally(() => {
      opening = undefined;
    });
    current = await opening;
    return current;
  }

  /** A host that answers each part of a map slowly takes several times as long until it is open. */
  async function openInTime(): Promise<OpenMap> {
    if (current) return current;
    return inTime(renew(), open_ms, timer);
  }

  async function readTile(map: OpenMap, address: TileAddress): Promise<Uint8Array> {
    checkPause();
    if (map.doubted_ms !== undefined && timer.now() >= map.doubted_ms + pause_ms) {
      throw new SourceChanged('The map may be a new one');
    }
    try {
      return await takeTile(map.archive, address);
    } catch (error) {
      if (error instanceof ArchiveRefused) map.doubted_ms ??= timer.now();
      if (error instanceof SourceUnreachable || error instanceof SourceUnfit) pause(error);
      throw error;
    }
  }

  async function findTile(address: TileAddress, attempts = 2): Promise<StreetTile> {
    const map = current ?? (await renew());
    try {
      const bytes = await map.cache.get(address, () => readTile(map, address));
      return { bytes, gzipped: map.archive.compression === Compression.Gzip && bytes.length > 0 };
    } catch (error) {
      if (!(error instanceof SourceChanged) || attempts === 1) throw error;
      await renew(map);
      return findTile(address, attempts - 1);
    }
  }

  return {
    async open() {
      try {
        await openInTime();
        return undefined;
      } catch (error) {
        if (error instanceof SourceUnreachable || error instanceof SourceChanged) return error;
        throw new StartError(`MAP_PMTILES: ${reasonOf(error)}`);
      }
    },
    async describe() {
      const map = await openInTime().catch(() => undefined);
      return map?.archive.facts;
    },
    async getTile(address) {
      try {
        return await findTile(address);
      } catch (cause) {
        throw new AppError('unavailable', 'The map of streets is not available just now', {
          cause,
          retry_after_s: Math.ceil(pause_ms / 1000),
        });
      }
    },
  };
}

function inTime<Opened>(opening: Promise<Opened>, open_ms: number, timer: Timer): Promise<Opened> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new SourceUnreachable('The address takes too long to answer'));
  const cancel = timer.after(open_ms, giveUp);
  return Promise.race([opening, late.promise]).finally(cancel);
}

const NOTHING = new Uint8Array(0);

async function takeTile(archive: Archive, address: TileAddress): Promise<Uint8Array> {
  const packed = await archive.getTile(address);
  if (!packed) return NOTHING;
  // Unpacked even where it goes out as it is: browsers would keep a damaged tile for a week.
  const unpacked = await unpack(packed, archive.compression);
  // Every browser takes gzip; the other ways of packing are not worth a second copy for those that do not.
  return archive.compression === Compression.Gzip && unpacked.length > 0 ? packed : unpacked;
}

function reasonOf(error: unknown): string {
  if (error instanceof ArchiveRefused || error instanceof SourceUnfit) return error.message;
  if (!(error instanceof Error) || !('code' in error)) throw error;
  if (error.code === 'ENOENT') return 'there is no file at this place';
  return error.code === 'EISDIR' ? 'this is a folder, not a file' : `the file cannot be read (${error.code})`;
}
