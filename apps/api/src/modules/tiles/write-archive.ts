import { gzipSync } from 'node:zlib';
import { Compression, TileType, zxyToTileId } from 'pmtiles';
import type { TileAddress } from './tile-address.ts';

export interface ArchiveOptions {
  tiles: readonly (TileAddress & { bytes: Uint8Array })[];
  version?: number;
  tile_type?: number;
  /** A number of the specification's list, or one that is not there. */
  compression?: number;
  /** How many entries go into a directory below the first one; without it all are in the first. */
  leaf_entries?: number;
  metadata?: unknown;
  bounds?: [west: number, south: number, east: number, north: number];
}

interface Entry {
  id: number;
  offset: number;
  length: number;
  /** 0 for a directory. */
  run: number;
}

const HEADER_BYTES = 127;

/** For tests: a PMTiles archive, as small as the specification allows (spec/v3/spec.md). */
export function writeArchive(options: ArchiveOptions): Buffer {
  const { compression = Compression.Gzip, leaf_entries, metadata = {}, tiles } = options;
  const pack = (bytes: Uint8Array) => (compression === Compression.Gzip ? gzipSync(bytes) : Buffer.from(bytes));
  const data: Buffer[] = [];
  const entries: Entry[] = [];
  let offset = 0;
  for (const { z, x, y, bytes } of tiles.toSorted((a, b) => idOf(a) - idOf(b))) {
    const packed = pack(bytes);
    entries.push({ id: zxyToTileId(z, x, y), offset, length: packed.length, run: 1 });
    data.push(packed);
    offset += packed.length;
  }
  const leaves: Buffer[] = [];
  const root: Entry[] = leaf_entries ? [] : entries;
  for (let at = 0, start = 0; leaf_entries && at < entries.length; at += leaf_entries) {
    const leaf = pack(directory(entries.slice(at, at + leaf_entries)));
    root.push({ id: entries[at]?.id ?? 0, offset: start, length: leaf.length, run: 0 });
    leaves.push(leaf);
    start += leaf.length;
  }
  return assemble(options, [pack(directory(root)), pack(Buffer.from(JSON.stringify(metadata))), leaves, data]);
}

const idOf = ({ z, x, y }: TileAddress) => zxyToTileId(z, x, y);

type Parts = [root: Buffer, metadata: Buffer, leaves: Buffer[], data: Buffer[]];

function assemble(options: ArchiveOptions, [root, metadata, leaves, data]: Parts): Buffer {
  const {
    version = 3,
    compression = Compression.Gzip,
    tile_type = TileType.Mvt,
    tiles,
    bounds = [1, 2, 3, 4],
  } = options;
  const header = Buffer.alloc(HEADER_BYTES);
  header.write('PMTiles', 'latin1');
  header[7] = version;
  let offset = HEADER_BYTES;
  for (const [at, part] of [root, metadata, Buffer.concat(leaves), Buffer.concat(data)].entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + at * 16);
    header.writeBigUInt64LE(BigInt(part.length), 16 + at * 16);
    offset += part.length;
  }
  header.set([1, compression, compression, tile_type], 96);
  const zooms = tiles.map(({ z }) => z);
  header.set([Math.min(...zooms), Math.max(...zooms)], 100);
  for (const [at, degrees] of bounds.entries()) header.writeInt32LE(degrees * 1e7, 102 + at * 4);
  return Buffer.concat([header, root, metadata, ...leaves, ...data]);
}

function directory(entries: readonly Entry[]): Buffer {
  const numbers = [entries.length];
  let before = 0;
  for (const { id } of entries) {
    numbers.push(id - before);
    before = id;
  }
  numbers.push(...entries.map(({ run }) => run), ...entries.map(({ length }) => length));
  numbers.push(...entries.map(({ offset }) => offset + 1));
  return Buffer.from(numbers.flatMap(toVarint));
}

function toVarint(number: number): number[] {
  return number < 128 ? [number] : [(number % 128) + 128, ...toVarint(Math.floor(number / 128))];
}
