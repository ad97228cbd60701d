import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import { cleanText } from '@sendlap/domain/names.ts';
import {
  bytesToHeader,
  Compression,
  type Entry,
  type Header,
  PMTiles,
  ResolvedValueCache,
  readVarint,
  TileType,
} from 'pmtiles';
import { HEADER_BYTES, START_BYTES } from './archive-format.ts';
import type { ReadBytes } from './byte-source.ts';
import type { TileAddress } from './tile-address.ts';

/** The file cannot be used as a map. The message says why, without a capital letter and a full stop. */
export class InvalidArchive extends Error {}

export interface TileSourceFacts {
  min_zoom: number;
  max_zoom: number;
  /** Degrees. */
  bounds: { west: number; south: number; east: number; north: number };
  attribution: string;
}

const MAX_CACHED_DIRECTORIES = 24;
/** A requested range larger than this means a damaged length, and is not read. */
const MAX_PART_BYTES = 8 * 1024 * 1024;
/** Limit of the decompressed size: a few kilobytes can expand to gigabytes. */
const MAX_DECOMPRESSED_BYTES = 4 * 1024 * 1024;
/** MapLibre's maximum. */
const MAX_ZOOM = 24;
/** A directory entry is four numbers of at least one byte. */
const MIN_ENTRY_BYTES = 4;

const TILE_KINDS: Record<number, string> = {
  [TileType.Png]: 'PNG pictures',
  [TileType.Jpeg]: 'JPEG pictures',
  [TileType.Webp]: 'WebP pictures',
  [TileType.Avif]: 'AVIF pictures',
  [TileType.Mlt]: 'MapLibre tiles',
};

export type CheckedReader = ReturnType<typeof createCheckedReader>;

/**
 * Reads an archive of vector tiles with the pmtiles library. The library trusts the archive, so its reads and
 * decompressed sizes are checked here: all reads throw InvalidArchive for a damaged archive. Failures are not cached.
 */
export function createCheckedReader(read: ReadBytes) {
  const checked_source = {
    getKey: () => '',
    getBytes: (offset: number, length: number, _?: AbortSignal, etag?: string) => readPart(read, offset, length, etag),
  };
  const cache = new ResolvedValueCache(MAX_CACHED_DIRECTORIES, undefined, async (compressed, compression) => {
    const bytes = await decompress(compressed, compression);
    checkDirectory(bytes);
    return bytes;
  });
  const decompressing_reader = new PMTiles(checked_source, cache, decompress);
  const raw_reader = new PMTiles(checked_source, cache, async (bytes) => bytes);
  return {
    /** Returns the same object until a read finds a new version of the archive file, then a new one. */
    getHeader: (): Promise<Header> => rethrowInvalid(decompressing_reader.getHeader()),
    async readFacts(): Promise<TileSourceFacts> {
      const metadata = await rethrowInvalid(decompressing_reader.getMetadata());
      return toFacts(await decompressing_reader.getHeader(), metadata);
    },
    readMetadata: (): Promise<unknown> => rethrowInvalid(decompressing_reader.getMetadata()),
    /** Returns a directory's entries, in the order of their tile ids. `offset`: from the start of the archive. */
    async readDirectory(offset: number, length: number): Promise<Entry[]> {
      const header = await decompressing_reader.getHeader();
      return rethrowInvalid(cache.getDirectory(checked_source, offset, length, header));
    },
    /** Returns the tile as compressed in the archive (`tileCompression` of the header); undefined if it is missing. */
    async readTile({ z, x, y }: TileAddress): Promise<Uint8Array<ArrayBuffer> | undefined> {
      const tile = await rethrowInvalid(raw_reader.getZxy(z, x, y));
      return tile && new Uint8Array(tile.data);
    },
  };
}

/** Turns the library's plain errors (overlong varint, empty directory, metadata not JSON) into InvalidArchive. */
async function rethrowInvalid<Value>(reading: Promise<Value>): Promise<Value> {
  try {
    return await reading;
  } catch (error) {
    const is_plain = error instanceof Error && (error.constructor === Error || error instanceof SyntaxError);
    throw is_plain && !('code' in error) ? new InvalidArchive('the archive is damaged', { cause: error }) : error;
  }
}

async function readPart(read: ReadBytes, offset: number, length: number, etag?: string) {
  if (length > MAX_PART_BYTES || !Number.isSafeInteger(offset + length)) {
    throw new InvalidArchive('the archive is damaged');
  }
  const { bytes, version } = await read(offset, length, etag);
  if (offset === 0 && length === START_BYTES) checkStart(bytes);
  else if (bytes.length < length) throw new InvalidArchive('the archive is cut short');
  return { data: bytes.buffer, etag: version };
}

const decompressors: Record<number, (bytes: ArrayBuffer) => Promise<Uint8Array>> = {
  [Compression.None]: async (bytes) => new Uint8Array(bytes),
  [Compression.Gzip]: (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MAX_DECOMPRESSED_BYTES }),
  [Compression.Brotli]: (bytes) => promisify(brotliDecompress)(bytes, { maxOutputLength: MAX_DECOMPRESSED_BYTES }),
  [Compression.Zstd]: (bytes) => promisify(zstdDecompress)(bytes, { maxOutputLength: MAX_DECOMPRESSED_BYTES }),
};

/** Throws InvalidArchive if the bytes cannot be decompressed. */
export async function decompress(bytes: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> {
  const decompressBytes = decompressors[compression];
  if (!decompressBytes) throw new InvalidArchive('the archive is packed in a way that is not known');
  try {
    return Uint8Array.from(await decompressBytes(bytes)).buffer;
  } catch (cause) {
    throw new InvalidArchive('the archive is damaged', { cause });
  }
}

function checkStart(start: Uint8Array<ArrayBuffer>): void {
  const magic = Buffer.from(start.subarray(0, 7)).toString('latin1');
  if (start.length < HEADER_BYTES || magic !== 'PMTiles') throw new InvalidArchive('this is not a PMTiles archive');
  if (start[7] !== 3) throw new InvalidArchive(`PMTiles version ${start[7]} is too old or too new, 3 is needed`);
  const header = bytesToHeader(start.slice(0, HEADER_BYTES).buffer);
  if (header.tileType !== TileType.Mvt) {
    const kind = TILE_KINDS[header.tileType] ?? 'tiles of an unknown kind';
    throw new InvalidArchive(`the archive holds ${kind}, the map needs vector tiles (MVT)`);
  }
  for (const compression of [header.tileCompression, header.internalCompression]) {
    if (!decompressors[compression]) throw new InvalidArchive('the archive is packed in a way that is not known');
  }
  if (header.minZoom > header.maxZoom || header.maxZoom > MAX_ZOOM) throw new InvalidArchive('the archive is damaged');
  const root_end = header.rootDirectoryOffset + header.rootDirectoryLength;
  if (root_end > start.length) throw new InvalidArchive('the archive is cut short');
}

/** Throws if a directory claims more entries than its bytes can hold. */
function checkDirectory(bytes: ArrayBuffer): void {
  const count = readVarint({ buf: new Uint8Array(bytes), pos: 0 });
  if (count * MIN_ENTRY_BYTES > bytes.byteLength) throw new InvalidArchive('the archive is damaged');
}

function toFacts(header: Header, metadata: unknown): TileSourceFacts {
  const { minLon: west, minLat: south, maxLon: east, maxLat: north } = header;
  const is_valid_box = west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90;
  const { attribution } = (metadata ?? {}) as { attribution?: unknown };
  return {
    min_zoom: header.minZoom,
    max_zoom: header.maxZoom,
    bounds: is_valid_box ? { west, south, east, north } : { west: -180, south: -90, east: 180, north: 90 },
    attribution: typeof attribution === 'string' ? plainText(attribution) : '',
  };
}

/** Attributions are often HTML; they are shown here as text. */
export function plainText(html: string): string {
  const text = html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll('&amp;', '&');
  return cleanText(text);
}
