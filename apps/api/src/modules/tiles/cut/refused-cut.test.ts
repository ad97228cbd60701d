import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { boundingBox } from '@sendlap/domain/geo.ts';
import { Compression, TileType, tileIdToZxy } from 'pmtiles';
import { describe, expect, test } from 'vitest';
import { writeArchive } from '#build/write-archive.ts';
import { cut, data_dir, host, MAX_ZOOM, readerOf, tilesAround, useCutScene } from '#test/scenes/cut-scene.ts';
import { encodeDirectory } from '../archive/archive-format.ts';
import { cutFile, cutFolder } from '../archive/cut-file.ts';
import type { CutTownOptions } from './cut-town.ts';
import { CutRefused } from './plan-cut.ts';
import { tileIdsInBox } from './tiles-in-box.ts';

useCutScene();

describe('refused, and the previous streets stay:', () => {
  const refusal = async (reason: string, options: Partial<CutTownOptions> = {}) => {
    await expect(cut(options)).rejects.toThrow(new CutRefused(reason));
    expect(existsSync(cutFile(data_dir))).toBe(false);
  };
  const unusable = (reason: string) => `The map at MAP_STREETS_SOURCE cannot be used: ${reason}.`;

  test('a host that gives whole files only', async () => {
    host.misbehave = (_, response) => void response.end(host.archive);
    await refusal(unusable('the host does not answer range requests'));
  });

  test('a host that sends more than was requested', async () => {
    host.misbehave = (request, response) => {
      const is_start = request.headers.range === 'bytes=0-16383';
      if (is_start) host.answer(request, response);
      else response.writeHead(206, { 'content-range': request.headers.range?.replace('=', ' ') }).end(host.archive);
    };
    await refusal(unusable('the host sends more than was asked for'));
  });

  test('no file at the address', async () => {
    host.misbehave = (_, response) => void response.writeHead(404).end();
    await refusal(unusable('there is no file at the address'));
  });

  test('a host that never answers', async () => {
    host.misbehave = () => undefined;
    await refusal('The address did not answer. Try again later: the streets so far are kept.', { timeout_ms: 50 });
  });

  test.each([
    ['another file', () => Buffer.alloc(20_000, 'x'), 'this is not a PMTiles archive'],
    [
      'pictures',
      () => writeArchive({ tiles: tilesAround(6), tile_type: TileType.Png }),
      'the archive holds PNG pictures, the map needs vector tiles (MVT)',
    ],
    ['half an archive', () => writeArchive({ tiles: tilesAround(6) }).subarray(0, 30_000), 'the archive is cut short'],
    ['a directory of garbage', () => garbageAt('leaves'), 'the archive is damaged'],
    ['a directory that contains itself', leavesInCircles, 'the archive is damaged'],
    ['a tile that cannot be unpacked', () => garbageAt('tiles'), 'the archive is damaged'],
    ['a tile that lies outside the file', tileOutside, 'the archive is damaged'],
  ])('%s', async (_, make, reason) => {
    host.archive = make();
    await refusal(unusable(reason));
    expect(await readdir(cutFolder(data_dir))).toEqual([]);
  });

  test('an archive of another place', async () => {
    const elsewhere = tileIdsInBox(boundingBox({ latitude: -30, longitude: 20 }, 5), 0, MAX_ZOOM).map((id) => {
      const [z, x, y] = tileIdToZxy(id);
      return { z, x, y, bytes: Buffer.from('far') };
    });
    host.archive = writeArchive({ tiles: elsewhere });
    await refusal('The map at the address has no streets of Andorra la Vella.');
  });

  test('a town with too many bytes, before one of its tiles is fetched', async () => {
    host.archive = writeArchive({ tiles: tilesAround(6, 400_000), leaf_entries: 50 });
    await refusal('The streets of Andorra la Vella have more than 1 MB, even within 2 km.', { max_bytes: 1_000_000 });
    const header = await readerOf(host.archive).getHeader();
    const starts = host.ranges.map((range) => Number(/=(\d+)/.exec(range)?.[1]));
    expect(Math.max(...starts)).toBeLessThan(header.tileDataOffset);
  });

  test('an archive that changes again and again', async () => {
    host.misbehave = (request, response) => {
      if (host.ranges.length % 3 === 2) host.archive = writeArchive({ tiles: tilesAround(6), leaf_entries: 50 });
      host.answer(request, response);
    };
    await refusal('The map at the address changes too often to be read.');
  });

  function garbageAt(part: 'leaves' | 'tiles'): Buffer {
    const bytes = writeArchive({ tiles: tilesAround(6), leaf_entries: 50 });
    const start = Number(bytes.readBigUInt64LE(part === 'leaves' ? 40 : 56));
    return bytes.fill(7, start, start + 200);
  }

  /** Each leaf directory is a pointer to itself. */
  function leavesInCircles(): Buffer {
    const bytes = writeArchive({ tiles: tilesAround(6), leaf_entries: 10_000, compression: Compression.None });
    const leaves = Number(bytes.readBigUInt64LE(40));
    const length = Number(bytes.readBigUInt64LE(48));
    const self = encodeDirectory([{ id: 0, offset: 0, length, run: 0 }]);
    return bytes.fill(0, leaves, leaves + length).fill(self, leaves, leaves + self.length);
  }

  function tileOutside(): Buffer {
    const bytes = writeArchive({ tiles: tilesAround(6) });
    bytes.writeBigUInt64LE(1_000n, 64);
    return bytes;
  }
});
