import { type FileHandle, open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import { tileIdToZxy } from 'pmtiles';
import { type ArchiveEntry, encodeDirectories, encodeHeader } from '../archive/archive-format.ts';
import type { ReadBytes } from '../archive/byte-source.ts';
import { createCheckedReader, decompress, InvalidArchive } from '../archive/checked-reader.ts';
import { findRange, type SourceRange } from './merge-ranges.ts';
import type { CutPlan, SourceTile } from './plan-cut.ts';

interface SourceOfTiles {
  ranges: readonly SourceRange[];
  /** Reads a range. */
  read: ReadBytes;
}

/** Writes the planned tiles as an archive, with the bytes that they have in the source, and reads all of them back. */
export async function writeCut(path: string, plan: CutPlan, source: SourceOfTiles): Promise<void> {
  const { entries, contents } = placeTiles(plan.tiles);
  const { root, leaves } = encodeDirectories(entries, gzipSync);
  const metadata = await promisify(gzip)(JSON.stringify(plan.metadata ?? {}));
  const data_length = contents.reduce((sum, { length }) => sum + length, 0);
  const counts: [number, number, number] = [plan.tiles.length, entries.length, contents.length];
  const { tileCompression: tile_compression, minZoom: min_zoom, maxZoom: max_zoom } = plan.header;
  const facts = { tile_compression, min_zoom, max_zoom, bounds: boundsOf(plan), counts };
  const header = encodeHeader(facts, { root, metadata, leaves, data_length });
  await using file = await open(path, 'w+');
  for (const part of [header, root, metadata, leaves]) await file.writeFile(part);
  await writeContents(file, contents, source);
  await file.sync();
  await checkCut(file, plan, source);
}

/** Lays out the contents in the new archive, in the order of the tile ids. */
function placeTiles(tiles: readonly SourceTile[]): { entries: ArchiveEntry[]; contents: SourceTile[] } {
  const entries: ArchiveEntry[] = [];
  const contents: SourceTile[] = [];
  const offsets = new Map<number, number>();
  let end = 0;
  for (const tile of tiles) {
    const { id, length } = tile;
    let offset = offsets.get(tile.offset);
    if (offset === undefined) {
      offset = end;
      offsets.set(tile.offset, offset);
      contents.push(tile);
      end += length;
    }
    const last = entries.at(-1);
    if (last && last.offset === offset && last.id + last.run === id) last.run += 1;
    else entries.push({ id, offset, length, run: 1 });
  }
  return { entries, contents };
}

async function writeContents(file: FileHandle, contents: readonly SourceTile[], source: SourceOfTiles): Promise<void> {
  const readTile = createTileReader(source);
  for (const tile of contents) await file.writeFile(await readTile(tile));
}

/** Holds one range in memory: tiles in the order of their ids are nearly in the order of the archive. */
function createTileReader({ ranges, read }: SourceOfTiles): (tile: SourceTile) => Promise<Uint8Array<ArrayBuffer>> {
  let held: { range: SourceRange; bytes: Uint8Array<ArrayBuffer> } | undefined;
  return async (tile) => {
    const range = findRange(ranges, tile);
    if (held?.range !== range) held = { range, bytes: (await read(range.offset, range.length)).bytes };
    const start = tile.offset - range.offset;
    return held.bytes.slice(start, start + tile.length);
  };
}

/** Throws InvalidArchive unless the new archive returns each tile as the source has it, and each can be decompressed. */
async function checkCut(file: FileHandle, { tiles, header }: CutPlan, source: SourceOfTiles): Promise<void> {
  const reader = createCheckedReader(createHandleSource(file));
  await reader.readFacts();
  const readTile = createTileReader(source);
  for (const tile of tiles) {
    const [z, x, y] = tileIdToZxy(tile.id);
    const [written, expected] = [await reader.readTile({ z, x, y }), await readTile(tile)];
    if (!written || !Buffer.from(written).equals(expected)) throw new InvalidArchive('the archive is damaged');
    await decompress(written.buffer, header.tileCompression);
  }
}

function createHandleSource(file: FileHandle): ReadBytes {
  return async (offset, length) => {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await file.read(bytes, 0, length, offset);
    return { bytes: bytes.slice(0, bytesRead), version: '' };
  };
}

/** The box, as far as the source reaches; an archive has no bounds across the antimeridian. */
function boundsOf({ box, header }: CutPlan): [west: number, south: number, east: number, north: number] {
  const { minLon = -180, minLat = -90, maxLon = 180, maxLat = 90 } = header;
  const south = Math.max(box.south, minLat);
  const north = Math.min(box.north, maxLat);
  if (box.west > box.east) return [-180, south, 180, north];
  return [Math.max(box.west, minLon), south, Math.min(box.east, maxLon), north];
}
