import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Compression, TileType, zxyToTileId } from 'pmtiles';
import type { TileAddress } from '#api/modules/tiles/tile-address.ts';

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

interface Entry {
  id: number;
  offset: number;
  length: number;
  /** How many tiles in a row have this content; 0 for a leaf directory. */
  run: number;
}

const HEADER_BYTES = 127;

/** Returns a PMTiles 3 archive (spec/v3/spec.md) in which tiles with the same content share their bytes. */
export function writeArchive(options: ArchiveOptions): Buffer {
  const { compression = Compression.Gzip, leaf_entries, metadata = {}, tiles } = options;
  const pack = (bytes: Uint8Array) => (compression === Compression.Gzip ? gzipSync(bytes) : Buffer.from(bytes));
  const { entries, data, zooms } = packTiles(tiles, pack);
  const leaves: Buffer[] = [];
  const root: Entry[] = leaf_entries ? [] : entries;
  for (let at = 0, start = 0; leaf_entries && at < entries.length; at += leaf_entries) {
    const leaf = pack(directory(entries.slice(at, at + leaf_entries)));
    root.push({ id: entries[at]?.id ?? 0, offset: start, length: leaf.length, run: 0 });
    leaves.push(leaf);
    start += leaf.length;
  }
  const parts = [pack(directory(root)), pack(Buffer.from(JSON.stringify(metadata))), Buffer.concat(leaves), data];
  return Buffer.concat([header(options, parts, zooms), ...parts]);
}

function packTiles(tiles: Iterable<ArchiveTile>, pack: (bytes: Uint8Array) => Buffer) {
  const entries: Entry[] = [];
  const known = new Map<string, Pick<Entry, 'offset' | 'length'>>();
  const data: Buffer[] = [];
  const zooms = { min: Number.POSITIVE_INFINITY, max: 0 };
  let end = 0;
  for (const { z, x, y, bytes } of tiles) {
    const id = zxyToTileId(z, x, y);
    zooms.min = Math.min(zooms.min, z);
    zooms.max = Math.max(zooms.max, z);
    const hash = createHash('sha256').update(bytes).digest('base64');
    let place = known.get(hash);
    if (!place) {
      const packed = pack(bytes);
      place = { offset: end, length: packed.length };
      known.set(hash, place);
      data.push(packed);
      end += packed.length;
    }
    const last = entries.at(-1);
    if (last && last.offset === place.offset && last.id + last.run === id) last.run += 1;
    else entries.push({ id, ...place, run: 1 });
  }
  return { entries, data: Buffer.concat(data), zooms };
}

function header(options: ArchiveOptions, parts: readonly Buffer[], zooms: { min: number; max: number }): Buffer {
  const { version = 3, compression = Compression.Gzip, tile_type = TileType.Mvt, bounds = [1, 2, 3, 4] } = options;
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write('PMTiles', 'latin1');
  bytes[7] = version;
  let offset = HEADER_BYTES;
  for (const [at, part] of parts.entries()) {
    bytes.writeBigUInt64LE(BigInt(offset), 8 + at * 16);
    bytes.writeBigUInt64LE(BigInt(part.length), 16 + at * 16);
    offset += part.length;
  }
  bytes.set([1, compression, compression, tile_type, zooms.min, zooms.max], 96);
  for (const [at, degrees] of bounds.entries()) bytes.writeInt32LE(degrees * 1e7, 102 + at * 4);
  return bytes;
}

function directory(entries: readonly Entry[]): Buffer {
  const deltas = entries.map(({ id }, at) => id - (entries[at - 1]?.id ?? 0));
  const columns = [deltas, ...(['run', 'length'] as const).map((key) => entries.map((entry) => entry[key]))];
  const offsets = entries.map(({ offset }) => offset + 1);
  return Buffer.from([entries.length, ...columns.flat(), ...offsets].flatMap(toVarint));
}

function toVarint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) + 128, ...toVarint(Math.floor(number / 128))];
}
