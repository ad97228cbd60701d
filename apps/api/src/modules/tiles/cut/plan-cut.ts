import { type BoundingBox, boundingBox, type Position } from '@sendlap/domain/geo.ts';
import type { Entry, Header } from 'pmtiles';
import { type CheckedReader, InvalidArchive } from '../archive/checked-reader.ts';
import { countTiles, tileIdsInBox } from './tiles-in-box.ts';

/** The cut is impossible. The message is a sentence for the operator. */
export class CutRefused extends Error {}

/** A tile of the archive. */
export interface SourceTile {
  id: number;
  /** From the start of the archive. */
  offset: number;
  length: number;
}

export interface CutPlan {
  header: Header;
  metadata: unknown;
  box: BoundingBox;
  /** Half the side of the box: smaller than the town's if its tiles have too many bytes. */
  radius_km: number;
  /** In the order of their ids; several may share their bytes. */
  tiles: SourceTile[];
  /** Of the different tiles. */
  bytes: number;
}

export interface PlannedTown extends Position {
  name: string;
  radius_km: number;
}

const MAX_CUT_BYTES = 50_000_000;
const MAX_TILES = 200_000;
/** A smaller box than this shows no town. */
const MIN_RADIUS_KM = 2;
const SHRINK = 0.8;
/** The library reads no deeper. */
const MAX_DEPTH = 3;
/** Of the archive's directories: of a planet, a town needs about 3 MB. */
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;
/** Larger tiles do not exist. */
const MAX_TILE_BYTES = 4 * 1024 * 1024;

/**
 * Finds the tiles of the box around a town, at all zooms of the archive. Shrinks the box until the tiles have at most
 * `max_bytes`. Throws CutRefused and InvalidArchive.
 */
export async function planCut(reader: CheckedReader, town: PlannedTown, max_bytes = MAX_CUT_BYTES): Promise<CutPlan> {
  const header = await reader.getHeader();
  const metadata = await reader.readMetadata();
  const radii = radiiOf(town.radius_km);
  for (const radius_km of radii) {
    const box = boundingBox(town, radius_km);
    if (countTiles(box, header.minZoom, header.maxZoom) > MAX_TILES) continue;
    const tiles = await findTiles(reader, header, tileIdsInBox(box, header.minZoom, header.maxZoom));
    const bytes = countBytes(tiles);
    if (!tiles.some(({ id }) => id >= firstIdOf(header.maxZoom)))
      throw new CutRefused(`The map at the address has no streets of ${town.name}.`);
    if (bytes <= max_bytes) return { header, metadata, box, radius_km, tiles, bytes };
  }
  const limit = Math.round(max_bytes / 1e6);
  throw new CutRefused(`The streets of ${town.name} have more than ${limit} MB, even within ${radii.at(-1)} km.`);
}

/** In whole kilometres, the largest first. */
function radiiOf(radius_km: number): number[] {
  const radii: number[] = [];
  for (let next = radius_km; next > MIN_RADIUS_KM; next *= SHRINK) radii.push(Math.ceil(next));
  return [...new Set([...radii, MIN_RADIUS_KM])];
}

/** Id of the first tile of a zoom: the number of all tiles above it. */
function firstIdOf(zoom: number): number {
  return (4 ** zoom - 1) / 3;
}

function countBytes(tiles: readonly SourceTile[]): number {
  const lengths = new Map(tiles.map(({ offset, length }) => [offset, length]));
  return [...lengths.values()].reduce((sum, length) => sum + length, 0);
}

/** Returns the tiles that the archive has among the ids. Throws InvalidArchive. */
async function findTiles(reader: CheckedReader, header: Header, ids: readonly number[]): Promise<SourceTile[]> {
  const tiles: SourceTile[] = [];
  let directory_bytes = 0;

  async function readDirectory(offset: number, length: number, wanted: readonly number[], depth: number) {
    directory_bytes += length;
    if (directory_bytes > MAX_DIRECTORY_BYTES || depth > MAX_DEPTH) throw damaged();
    const entries = await reader.readDirectory(offset, length);
    let at = 0;
    for (const [index, entry] of entries.entries()) {
      const next = entries[index + 1]?.tileId ?? Number.POSITIVE_INFINITY;
      if (next <= entry.tileId) throw damaged();
      while (at < wanted.length && (wanted[at] ?? 0) < entry.tileId) at += 1;
      const first = at;
      while (at < wanted.length && (wanted[at] ?? 0) < next) at += 1;
      if (at === first) continue;
      const found = wanted.slice(first, at);
      if (entry.runLength === 0) {
        checkPart(entry, header.leafDirectoryLength);
        await readDirectory((header.leafDirectoryOffset ?? 0) + entry.offset, entry.length, found, depth + 1);
      } else tiles.push(...tilesOf(entry, header, found));
    }
  }

  await readDirectory(header.rootDirectoryOffset, header.rootDirectoryLength, ids, 1);
  return tiles;
}

function tilesOf(entry: Entry, header: Header, ids: readonly number[]): SourceTile[] {
  const covered = ids.filter((id) => id < entry.tileId + entry.runLength);
  if (covered.length === 0) return [];
  checkPart(entry, header.tileDataLength);
  if (entry.length > MAX_TILE_BYTES) throw damaged();
  return covered.map((id) => ({ id, offset: header.tileDataOffset + entry.offset, length: entry.length }));
}

/** Throws if an entry lies outside its section of the archive. */
function checkPart({ offset, length }: Entry, section_length: number | undefined): void {
  const is_inside = length > 0 && offset >= 0 && offset + length <= (section_length || Number.MAX_SAFE_INTEGER);
  if (!is_inside) throw damaged();
}

function damaged(): InvalidArchive {
  return new InvalidArchive('the archive is damaged');
}
