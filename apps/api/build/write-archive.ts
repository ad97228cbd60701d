import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Compression, zxyToTileId } from 'pmtiles';
import {
  type ArchiveEntry,
  encodeDirectory,
  encodeHeader,
  encodeLeaves,
} from '#api/modules/tiles/archive/archive-format.ts';
import type { TileAddress } from '#api/modules/tiles/archive/tile-address.ts';

export type ArchiveTile = TileAddress & { bytes: Uint8Array };

export interface ArchiveOptions {
  /** In the order of their PMTiles ids. */
  tiles: Iterable<ArchiveTile>;
  version?: number;
  tile_type?: number;
  /** `Compression` of the specification; all but gzip are written without compression. */
  compression?: number;
  /** Entries in a leaf directory; without it the root directory has all entries. */
  leaf_entries?: number;
  metadata?: unknown;
  bounds?: [west: number, south: number, east: number, north: number];
}

/** Returns a PMTiles 3 archive in which tiles with the same content share their bytes. */
export function writeArchive(options: ArchiveOptions): Buffer {
  const { compression = Compression.Gzip, leaf_entries, metadata = {}, tiles, bounds = [1, 2, 3, 4] } = options;
  const pack = (bytes: Uint8Array) => (compression === Compression.Gzip ? gzipSync(bytes) : Buffer.from(bytes));
  const { entries, data, zooms } = packTiles(tiles, pack);
  const { root, leaves } = leaf_entries
    ? encodeLeaves(entries, pack, leaf_entries)
    : { root: pack(encodeDirectory(entries)), leaves: Buffer.alloc(0) };
  const parts = { root, metadata: pack(Buffer.from(JSON.stringify(metadata))), leaves };
  const { version, tile_type } = options;
  const facts = {
    ...(version !== undefined && { version }),
    ...(tile_type !== undefined && { tile_type }),
    internal_compression: compression,
    tile_compression: compression,
    min_zoom: zooms.min,
    max_zoom: zooms.max,
    bounds,
  };
  const header = encodeHeader(facts, { ...parts, data_length: data.length });
  return Buffer.concat([header, parts.root, parts.metadata, parts.leaves, data]);
}

function packTiles(tiles: Iterable<ArchiveTile>, pack: (bytes: Uint8Array) => Buffer) {
  const entries: ArchiveEntry[] = [];
  const known = new Map<string, Pick<ArchiveEntry, 'offset' | 'length'>>();
  const data: Buffer[] = [];
  const zooms = { min: Number.POSITIVE_INFINITY, max: 0 };
  let end = 0;
  for (const { z, x, y, bytes } of tiles) {
    const id = zxyToTileId(z, x, y);
    zooms.min = Math.min(zooms.min, z);
    zooms.max = Math.max(zooms.max, z);
    const hash = createHash('sha256').update(bytes).digest('base64');
    let stored = known.get(hash);
    if (!stored) {
      const packed = pack(bytes);
      stored = { offset: end, length: packed.length };
      known.set(hash, stored);
      data.push(packed);
      end += packed.length;
    }
    const last = entries.at(-1);
    if (last && last.offset === stored.offset && last.id + last.run === id) last.run += 1;
    else entries.push({ id, ...stored, run: 1 });
  }
  return { entries, data: Buffer.concat(data), zooms };
}
