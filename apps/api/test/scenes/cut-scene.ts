import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boundingBox } from '@sendlap/domain/geo.ts';
import { PMTiles, tileIdToZxy } from 'pmtiles';
import { afterEach, beforeEach, expect } from 'vitest';
import { cutFile } from '#api/modules/tiles/archive/cut-file.ts';
import { type CutTownOptions, cutTown } from '#api/modules/tiles/cut/cut-town.ts';
import { tileIdsInBox } from '#api/modules/tiles/cut/tiles-in-box.ts';
import { type ArchiveTile, writeArchive } from '#build/write-archive.ts';
import { type ArchiveHost, openArchiveHost } from '../servers/archive-host.ts';

export const TOWN = { name: 'Andorra la Vella', latitude: 42.50779, longitude: 1.52109, radius_km: 5 };
export const MAX_ZOOM = 12;
export const NOW = new Date('2026-11-27T10:00:00Z');
export const BOUNDS: [number, number, number, number] = [1.2, 42.3, 1.9, 42.8];

export let data_dir: string;
export let host: ArchiveHost;
export let waits: number[];
/** A host with an archive, and an empty folder, for each test of the calling file. */
export function useCutScene(): void {
  beforeEach(async () => {
    data_dir = await mkdtemp(join(tmpdir(), 'sendlap-cut-'));
    host = await openArchiveHost(writeArchive({ tiles: tilesAround(20), leaf_entries: 50 }));
    waits = [];
  });
  afterEach(async () => {
    await host.close();
    await rm(data_dir, { recursive: true });
  });
}

/** Tiles of random bytes around the town, at all zooms, each of `bytes` bytes. */
export function tilesAround(radius_km: number, bytes = 2000): ArchiveTile[] {
  return tileIdsInBox(boundingBox(TOWN, radius_km), 0, MAX_ZOOM).map((id) => {
    const [z, x, y] = tileIdToZxy(id);
    return { z, x, y, bytes: randomBytes(bytes) };
  });
}

export const cut = (options: Partial<CutTownOptions> = {}) =>
  cutTown(TOWN, {
    data_dir,
    source: host.url,
    now: () => NOW,
    signal: new AbortController().signal,
    onProgress: () => {},
    wait: async (ms) => void waits.push(ms),
    ...options,
  });

export function readerOf(bytes: Buffer): PMTiles {
  return new PMTiles({
    getKey: () => '',
    getBytes: async (offset, length) => ({ data: Uint8Array.from(bytes.subarray(offset, offset + length)).buffer }),
  });
}

/** Compares every tile of both archives: inside the box they are the same, outside the cut has none. */
export async function expectExactCut(source_bytes: Buffer, radius_km: number): Promise<number> {
  const [source, result] = [readerOf(source_bytes), readerOf(await readFile(cutFile(data_dir)))];
  const { minZoom, maxZoom, minLon, minLat, maxLon, maxLat } = await source.getHeader();
  const inside = new Set(tileIdsInBox(boundingBox(TOWN, radius_km), minZoom, maxZoom));
  let count = 0;
  const whole = { west: minLon, south: minLat, east: maxLon, north: maxLat };
  for (const id of tileIdsInBox(whole, minZoom, maxZoom)) {
    const [z, x, y] = tileIdToZxy(id);
    const [expected, found] = [await source.getZxy(z, x, y), await result.getZxy(z, x, y)];
    const wanted = inside.has(id) ? expected : undefined;
    expect(found && Buffer.from(found.data)).toEqual(wanted && Buffer.from(wanted.data));
    if (wanted) count += 1;
  }
  return count;
}
