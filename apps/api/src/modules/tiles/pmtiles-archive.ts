import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import { cleanText } from '@sendlap/domain/names.ts';
import {
  bytesToHeader,
  Compression,
  type Entry,
  findTile,
  type Header,
  readVarint,
  TileType,
  zxyToTileId,
} from 'pmtiles';
import type { ByteSource } from './byte-source.ts';
import type { TileAddress } from './tile-address.ts';

/** A file that the map cannot be drawn from. The message completes "MAP_PMTILES: …". */
export class ArchiveRefused extends Error {}

export interface ArchiveFacts {
  min_zoom: number;
  max_zoom: number;
  /** Degrees. */
  bounds: { west: number; south: number; east: number; north: number };
  attribution: string;
}

/** A PMTiles archive of vector tiles. */
export interface Archive {
  facts: ArchiveFacts;
  compression: Compression;
  /** The tile's bytes as they are in the archive; undefined where it has none. */
  getTile(address: TileAddress): Promise<Uint8Array | undefined>;
}

// The specification: the header has 127 bytes, and lies with the first directory in the first 16 KB.
const HEADER_BYTES = 127;
const START_BYTES = 16_384;
const MAX_DEPTH = 4;
const MAX_DIRECTORIES = 24;
/** A part of the file that is larger than any real one is a mistake in the file, and not read. */
const MAX_PART_BYTES = 8 * 1024 * 1024;
/** Nor is one that unpacks to more: a few kilobytes can become gigabytes. */
const MAX_UNPACKED_BYTES = 4 * 1024 * 1024;
/** What MapLibre draws at most. */
const MAX_ZOOM = 24;
/** A directory entry is four numbers of a byte or more. */
const MIN_ENTRY_BYTES = 4;

const KINDS: Record<number, string> = {
  [TileType.Png]: 'PNG pictures',
  [TileType.Jpeg]: 'JPEG pictures',
  [TileType.Webp]: 'WebP pictures',
  [TileType.Avif]: 'AVIF pictures',
  [TileType.Mlt]: 'MapLibre tiles',
};

/**
 * Reads an archive as PMTiles 3 describes it (https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md), with the
 * library's parts, but without its reader: that remembers a failed read for good, and always unpacks.
 * Throws ArchiveRefused for what is no such archive, or holds no vector tiles.
 */
export async function openArchive(source: ByteSource): Promise<Archive> {
  const header = readHeader(await source.read(0, START_BYTES));
  const directories = new Map<number, Promise<Entry[]>>();

  async function readPart(offset: number, length: number): Promise<Uint8Array> {
    if (length > MAX_PART_BYTES || !Number.isSafeInteger(offset + length)) {
      throw new ArchiveRefused('the archive is damaged');
    }
    const bytes = await source.read(offset, length);
    if (bytes.length < length) throw new ArchiveRefused('the archive is cut short');
    return bytes;
  }

  function getDirectory(offset: number, length: number): Promise<Entry[]> {
    const known = directories.get(offset);
    // A Map keeps the order of insertion: put at the end, it is the youngest again.
    directories.delete(offset);
    const read = known ?? readPart(offset, length).then((bytes) => readDirectory(bytes, header));
    directories.set(offset, read);
    read.catch(() => directories.delete(offset));
    for (const oldest of directories.keys()) {
      if (directories.size <= MAX_DIRECTORIES) break;
      directories.delete(oldest);
    }
    return read;
  }

  const { jsonMetadataOffset, jsonMetadataLength, rootDirectoryOffset, rootDirectoryLength } = header;
  await getDirectory(rootDirectoryOffset, rootDirectoryLength);
  const metadata = await readMetadata(await readPart(jsonMetadataOffset, jsonMetadataLength), header);
  return {
    facts: describe(header, metadata),
    compression: header.tileCompression,
    async getTile({ z, x, y }) {
      if (z < header.minZoom || z > header.maxZoom) return undefined;
      const id = zxyToTileId(z, x, y);
      let part = { offset: rootDirectoryOffset, length: rootDirectoryLength };
      for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
        const entry = findTile(await getDirectory(part.offset, part.length), id);
        if (!entry) return undefined;
        if (entry.runLength > 0) return readPart(header.tileDataOffset + entry.offset, entry.length);
        part = { offset: header.leafDirectoryOffset + entry.offset, length: entry.length };
      }
      throw new ArchiveRefused('the archive is damaged');
    },
  };
}

const unpackers: Record<number, (bytes: Uint8Array) => Promise<Uint8Array>> = {
  [Compression.None]: (bytes) => Promise.resolve(bytes),
  [Compression.Gzip]: (bytes) => promisify(gunzip)(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }),
  [Compression.Brotli]: (bytes) => promisify(brotliDecompress)(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }),
  [Compression.Zstd]: (bytes) => promisify(zstdDecompress)(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }),
};

/** Throws ArchiveRefused for what cannot be unpacked. */
export async function unpack(bytes: Uint8Array, compression: Compression): Promise<Uint8Array> {
  const unpackBytes = unpackers[compression];
  if (!unpackBytes) throw new ArchiveRefused('the archive is packed in a way that is not known');
  try {
    return await unpackBytes(bytes);
  } catch (cause) {
    throw new ArchiveRefused('the archive is damaged', { cause });
  }
}

function readHeader(start: Uint8Array): Header {
  const magic = Buffer.from(start.subarray(0, 7)).toString('latin1');
  if (start.length < HEADER_BYTES || magic !== 'PMTiles') throw new ArchiveRefused('this is not a PMTiles archive');
  if (start[7] !== 3) throw new ArchiveRefused(`PMTiles version ${start[7]} is too old or too new, 3 is needed`);
  const header = bytesToHeader(new Uint8Array(start.subarray(0, HEADER_BYTES)).buffer);
  if (header.tileType !== TileType.Mvt) {
    const kind = KINDS[header.tileType] ?? 'tiles of an unknown kind';
    throw new ArchiveRefused(`the archive holds ${kind}, the map needs vector tiles (MVT)`);
  }
  for (const compression of [header.tileCompression, header.internalCompression]) {
    if (!unpackers[compression]) throw new ArchiveRefused('the archive is packed in a way that is not known');
  }
  if (header.minZoom > header.maxZoom || header.maxZoom > MAX_ZOOM) throw new ArchiveRefused('the archive is damaged');
  return header;
}

async function readDirectory(packed: Uint8Array, { internalCompression }: Header): Promise<Entry[]> {
  const buf = await unpack(packed, internalCompression);
  try {
    return readEntries(buf);
  } catch (cause) {
    // `readVarint` throws for a number that never ends.
    throw new ArchiveRefused('the archive is damaged', { cause });
  }
}

/** As the specification's `deserialize_directory`: numbers by column, each tile after the one before. */
function readEntries(buf: Uint8Array): Entry[] {
  const position = { buf, pos: 0 };
  const count = readVarint(position);
  if (count * MIN_ENTRY_BYTES > buf.length) throw new ArchiveRefused('the archive is damaged');
  const entries: Entry[] = [];
  for (let tileId = 0; entries.length < count; ) {
    tileId += readVarint(position);
    entries.push({ tileId, offset: 0, length: 0, runLength: 1 });
  }
  for (const entry of entries) entry.runLength = readVarint(position);
  for (const entry of entries) entry.length = readVarint(position);
  let after = 0;
  for (const entry of entries) {
    const offset = readVarint(position);
    entry.offset = offset === 0 ? after : offset - 1;
    after = entry.offset + entry.length;
  }
  return entries;
}

async function readMetadata(packed: Uint8Array, { internalCompression }: Header): Promise<{ attribution?: unknown }> {
  const text = Buffer.from(await unpack(packed, internalCompression)).toString('utf8');
  try {
    const metadata: unknown = JSON.parse(text);
    return typeof metadata === 'object' && metadata !== null ? metadata : {};
  } catch (cause) {
    throw new ArchiveRefused('the archive is damaged', { cause });
  }
}

function describe(header: Header, { attribution }: { attribution?: unknown }): ArchiveFacts {
  const { minLon: west, minLat: south, maxLon: east, maxLat: north } = header;
  const isBox = west < east && south < north && west >= -180 && east <= 180 && south >= -90 && north <= 90;
  return {
    min_zoom: header.minZoom,
    max_zoom: header.maxZoom,
    bounds: isBox ? { west, south, east, north } : { west: -180, south: -90, east: 180, north: 90 },
    attribution: typeof attribution === 'string' ? plainText(attribution) : '',
  };
}

/** Attributions are often written as HTML; here they are shown as text. */
function plainText(html: string): string {
  const text = html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&copy;', '©')
    .replaceAll('&amp;', '&');
  return cleanText(text);
}
