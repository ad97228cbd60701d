import { Compression, TileType } from 'pmtiles';

// Writes the parts of a PMTiles 3 archive (spec/v3/spec.md): the pmtiles library only reads.

/** By the specification the header has 127 bytes, and is with the root directory in the first 16 KB. */
export const HEADER_BYTES = 127;
export const START_BYTES = 16_384;

/** Directories above this are split: browsers and servers read them whole. */
const LEAF_ENTRIES = 4096;

export interface ArchiveEntry {
  id: number;
  /** From the start of the tile data or, of a leaf directory, of the leaf directories. */
  offset: number;
  length: number;
  /** How many tiles in a row have this content; 0 for a leaf directory. */
  run: number;
}

export interface HeaderFacts {
  version?: number;
  tile_type?: number;
  internal_compression?: number;
  tile_compression?: number;
  min_zoom: number;
  max_zoom: number;
  /** Degrees. */
  bounds: [west: number, south: number, east: number, north: number];
  /** Tiles, entries and different contents; 0: unknown. */
  counts?: [tiles: number, entries: number, contents: number];
}

export interface ArchiveParts {
  root: Uint8Array;
  metadata: Uint8Array;
  leaves: Uint8Array;
  /** Of the tile data. */
  data_length: number;
}

/** Returns the header of an archive whose parts follow in the order root, metadata, leaves, data. */
export function encodeHeader(facts: HeaderFacts, { root, metadata, leaves, data_length }: ArchiveParts): Buffer {
  const { version = 3, tile_type = TileType.Mvt, min_zoom, max_zoom, bounds, counts = [0, 0, 0] } = facts;
  const { internal_compression = Compression.Gzip, tile_compression = Compression.Gzip } = facts;
  const bytes = Buffer.alloc(HEADER_BYTES);
  bytes.write('PMTiles', 'latin1');
  bytes[7] = version;
  let offset = HEADER_BYTES;
  for (const [at, length] of [root.length, metadata.length, leaves.length, data_length].entries()) {
    bytes.writeBigUInt64LE(BigInt(offset), 8 + at * 16);
    bytes.writeBigUInt64LE(BigInt(length), 16 + at * 16);
    offset += length;
  }
  for (const [at, count] of counts.entries()) bytes.writeBigUInt64LE(BigInt(count), 72 + at * 8);
  // 1: the tile data is in the order of the tile ids.
  bytes.set([1, internal_compression, tile_compression, tile_type, min_zoom, max_zoom], 96);
  for (const [at, degrees] of bounds.entries()) bytes.writeInt32LE(Math.round(degrees * 1e7), 102 + at * 4);
  return bytes;
}

/** Returns a directory, not compressed; the entries are in the order of their ids. */
export function encodeDirectory(entries: readonly ArchiveEntry[]): Buffer {
  const bytes: number[] = [];
  pushVarint(bytes, entries.length);
  for (const [at, { id }] of entries.entries()) pushVarint(bytes, id - (entries[at - 1]?.id ?? 0));
  for (const { run } of entries) pushVarint(bytes, run);
  for (const { length } of entries) pushVarint(bytes, length);
  for (const { offset } of entries) pushVarint(bytes, offset + 1);
  return Buffer.from(bytes);
}

/**
 * Returns the root directory and the leaf directories, compressed by `pack`. The root has all entries if it fits
 * behind the header.
 */
export function encodeDirectories(
  entries: readonly ArchiveEntry[],
  pack: (bytes: Buffer) => Buffer,
): { root: Buffer; leaves: Buffer } {
  const root = pack(encodeDirectory(entries));
  return root.length <= START_BYTES - HEADER_BYTES
    ? { root, leaves: Buffer.alloc(0) }
    : encodeLeaves(entries, pack, LEAF_ENTRIES);
}

/** Returns leaf directories of `leaf_entries` entries, and the root directory that points to them. */
export function encodeLeaves(
  entries: readonly ArchiveEntry[],
  pack: (bytes: Buffer) => Buffer,
  leaf_entries: number,
): { root: Buffer; leaves: Buffer } {
  const leaves: Buffer[] = [];
  const root: ArchiveEntry[] = [];
  let offset = 0;
  for (let at = 0; at < entries.length; at += leaf_entries) {
    const leaf = pack(encodeDirectory(entries.slice(at, at + leaf_entries)));
    root.push({ id: entries[at]?.id ?? 0, offset, length: leaf.length, run: 0 });
    leaves.push(leaf);
    offset += leaf.length;
  }
  return { root: pack(encodeDirectory(root)), leaves: Buffer.concat(leaves) };
}

function pushVarint(bytes: number[], number: number): void {
  let rest = number;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
