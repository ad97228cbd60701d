import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { boundingBox } from '@sendlap/domain/geo.ts';
import { tileIdToZxy } from 'pmtiles';
import { describe, expect, test } from 'vitest';
import { writeArchive } from '#build/write-archive.ts';
import {
  BOUNDS,
  cut,
  data_dir,
  expectExactCut,
  host,
  MAX_ZOOM,
  NOW,
  readerOf,
  TOWN,
  tilesAround,
  useCutScene,
  waits,
} from '#test/scenes/cut-scene.ts';
import { testUnlessMissing } from '#test/skip-without.ts';
import { cutFile, cutFolder } from '../archive/cut-file.ts';
import { type CutTownOptions, cutTown } from './cut-town.ts';
import { tileIdsInBox } from './tiles-in-box.ts';

useCutScene();

describe('a cut', () => {
  test('has exactly the tiles of the box, at all zooms, as the source has them, in few requests', async () => {
    host.archive = writeArchive({
      tiles: tilesAround(20),
      leaf_entries: 50,
      bounds: BOUNDS,
      metadata: { attribution: 'A' },
    });
    const result = await cut();
    expect(await expectExactCut(host.archive, TOWN.radius_km)).toBe(result.tiles);
    expect(result).toMatchObject({ radius_km: 5, max_zoom: MAX_ZOOM });
    const written = readerOf(await readFile(cutFile(data_dir)));
    expect(await written.getMetadata()).toEqual({ attribution: 'A' });
    const box = boundingBox(TOWN, 5);
    const header = await written.getHeader();
    expect([header.minLon, header.maxLat]).toEqual([expect.closeTo(box.west, 5), expect.closeTo(box.north, 5)]);
    expect(header).toMatchObject({ clustered: true, numAddressedTiles: result.tiles });
    expect(host.ranges.length).toBeLessThan(result.tiles / 2);
    expect(new Set(host.ranges).size).toBe(host.ranges.length);
    expect(await readdir(cutFolder(data_dir))).toEqual(['streets.pmtiles']);
  });

  test('of a town with very many tiles has leaf directories, and tiles with the same content share their bytes', async () => {
    const sea = Buffer.from('sea');
    const ids = tileIdsInBox(boundingBox(TOWN, 5), 0, 18);
    const tiles = ids.map((id, at) => {
      const [z, x, y] = tileIdToZxy(id);
      return { z, x, y, bytes: at % 3 === 0 ? sea : Buffer.from(`tile ${id}`) };
    });
    const { west, south, east, north } = boundingBox(TOWN, 5.5);
    host.archive = writeArchive({ tiles, bounds: [west, south, east, north], leaf_entries: 2000 });
    const result = await cut();
    const result_reader = readerOf(await readFile(cutFile(data_dir)));
    const header = await result_reader.getHeader();
    expect(header.leafDirectoryLength).toBeGreaterThan(0);
    expect(header.numTileContents).toBeLessThan(result.tiles * 0.7);
    expect(result.tiles).toBe(ids.length);
    for (const { z, x, y, bytes } of tiles.filter((_, at) => at % 50 < 2)) {
      const found = await result_reader.getZxy(z, x, y);
      expect(Buffer.from(found?.data ?? new ArrayBuffer(0)).equals(bytes)).toBe(true);
    }
  }, 60_000);

  test('replaces the previous one, and reports its progress', async () => {
    await cut();
    const before = await readFile(cutFile(data_dir));
    host.archive = writeArchive({ tiles: tilesAround(20) });
    const progress: [number, number][] = [];
    await cut({ onProgress: (fetched, total) => progress.push([fetched, total]) });
    expect((await readFile(cutFile(data_dir))).equals(before)).toBe(false);
    expect(progress[0]?.[0]).toBe(0);
    const [fetched, total] = progress.at(-1) ?? [];
    expect(fetched).toBe(total);
  });

  test('of too many bytes is smaller than the town', async () => {
    const { bytes } = await cut();
    const smaller = await cut({ max_bytes: Math.floor(bytes * 0.85) });
    expect(smaller.radius_km).toBeLessThan(TOWN.radius_km);
    expect(smaller.bytes).toBeLessThanOrEqual(bytes * 0.85);
  });
});

describe('an interrupted cut', () => {
  const failAfter = (count: number) => {
    host.misbehave = (request, response) => {
      if (host.ranges.length >= count) request.socket.destroy();
      else host.answer(request, response);
    };
  };
  const interrupt = async (count: number) => {
    host.archive = writeArchive({ tiles: tilesAround(20, 100_000), leaf_entries: 50, bounds: BOUNDS });
    failAfter(count);
    await expect(cut()).rejects.toThrow('The address did not answer. Try again later: the streets so far are kept.');
    host.misbehave = undefined;
    expect(host.ranges.length).toBe(count);
  };

  test.each([1, 3, 6])('after %i requests resumes there, and fetches no range twice', async (count) => {
    await interrupt(count);
    expect(existsSync(cutFile(data_dir))).toBe(false);
    await cut();
    expect(new Set(host.ranges).size).toBe(host.ranges.length);
    expect(host.ranges.length).toBeGreaterThan(6);
    await expectExactCut(host.archive, TOWN.radius_km);
    expect(waits).toEqual([1_000, 5_000, 15_000]);
  });

  test('begins again where the archive has changed since', async () => {
    await interrupt(6);
    host.archive = writeArchive({ tiles: tilesAround(20), leaf_entries: 50, bounds: BOUNDS });
    await cut();
    await expectExactCut(host.archive, TOWN.radius_km);
  });

  test('leaves nothing for another town', async () => {
    await interrupt(6);
    const before = host.ranges.length;
    await cutTown({ ...TOWN, name: 'Encamp', radius_km: 3 }, { ...optionsOf() });
    expect(host.ranges.slice(before)).toContain('bytes=0-16383');
  });

  test('leaves the previous streets once it is whole, and finishes without a request', async () => {
    await cut();
    const before = await readFile(cutFile(data_dir));
    host.archive = writeArchive({ tiles: tilesAround(20), leaf_entries: 50 });
    const error = new Error('another node cuts');
    await expect(cut({ beforeReplacing: () => Promise.reject(error) })).rejects.toBe(error);
    expect((await readFile(cutFile(data_dir))).equals(before)).toBe(true);
    host.ranges.length = 0;
    await cut();
    expect([host.ranges, (await readFile(cutFile(data_dir))).equals(before)]).toEqual([[], false]);
  });

  test('by its signal throws, and resumes later', async () => {
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error('cancelled'));
    await expect(cut({ signal: controller.signal, onProgress })).rejects.toThrow('cancelled');
    await cut();
    expect(new Set(host.ranges).size).toBe(host.ranges.length);
  });

  function optionsOf(): CutTownOptions {
    const signal = new AbortController().signal;
    return { data_dir, source: host.url, now: () => NOW, signal, onProgress: () => {}, wait: async () => {} };
  }
});

describe('an archive that changes', () => {
  test('once while it is read is read again', async () => {
    const old = host.archive;
    host.misbehave = (request, response) => {
      if (host.ranges.length === 3)
        host.archive = writeArchive({ tiles: tilesAround(20), leaf_entries: 50, bounds: BOUNDS });
      host.answer(request, response);
    };
    await cut();
    expect(host.archive.equals(old)).toBe(false);
    await expectExactCut(host.archive, TOWN.radius_km);
  });
});

describe('a daily archive', () => {
  test('is the latest that exists, and an interrupted cut of yesterday resumes', async () => {
    const asked: string[] = [];
    const daily = `${new URL(host.url).origin}/{date}.pmtiles`;
    host.misbehave = (request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/20261125.pmtiles') host.answer(request, response);
      else response.writeHead(404).end();
    };
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error('cancelled'));
    await expect(cut({ source: daily, signal: controller.signal, onProgress })).rejects.toThrow('cancelled');
    expect(asked.slice(0, 3)).toEqual(['/20261127.pmtiles', '/20261126.pmtiles', '/20261125.pmtiles']);
    asked.length = 0;
    await cut({ source: daily, now: () => new Date(NOW.getTime() + 86_400_000) });
    expect(new Set(asked)).toEqual(new Set(['/20261125.pmtiles']));
    expect(new Set(host.ranges).size).toBe(host.ranges.length);
  });
});

const real = process.env.CENTERS_DATA_DIR;

testUnlessMissing(real ? undefined : 'CENTERS_DATA_DIR', 'a cut of a real map is exact at all zooms', async () => {
  host.archive = await readFile(join(real ?? '', 'andorra.pmtiles'));
  const { tiles, max_zoom } = await cut();
  expect(max_zoom).toBe(14);
  expect(await expectExactCut(host.archive, TOWN.radius_km)).toBe(tiles);
  expect(tiles).toBeGreaterThan(50);
  expect(host.ranges.length).toBeLessThan(10);
});
