import { join } from 'node:path';
import { Compression, TileType } from 'pmtiles';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartError } from '#api/platform/start-error.ts';
import { type ArchiveOptions, writeArchive } from '#build/write-archive.ts';
import { type ArchiveSources, answerRange, createArchiveSources } from '#test/archive-sources.ts';
import { createMapArchive } from './map-archive.ts';

/** Too long to matter: no refusal here depends on the speed of a host. */
const NEVER_MS = 60_000;
const TILES = [{ z: 0, x: 0, y: 0, bytes: Buffer.from('the whole world') }];

let sources: ArchiveSources;
beforeAll(async () => {
  sources = await createArchiveSources();
});
afterAll(() => sources.close());

describe('a map that the start refuses', () => {
  const refusal = (location: string) =>
    expect(createMapArchive(location, { timeout_ms: NEVER_MS, open_ms: NEVER_MS }).open()).rejects;

  it('is no file', async () => {
    await refusal(join(sources.folder, 'nowhere')).toThrow(
      new StartError('MAP_STREETS: there is no file at this place'),
    );
  });

  it('is a folder', async () => {
    await refusal(sources.folder).toThrow(new StartError('MAP_STREETS: this is a folder, not a file'));
  });

  it.each([
    ['an empty file', ''],
    ['another file', 'x'.repeat(500)],
    ['one that is cut short in its header', writeArchive({ tiles: TILES }).subarray(0, 100)],
  ])('is %s', async (_, bytes) => {
    await refusal(await sources.fileOf(bytes)).toThrow(new StartError('MAP_STREETS: this is not a PMTiles archive'));
  });

  it.each<[string, Partial<ArchiveOptions>, string]>([
    ['of version 2', { version: 2 }, 'PMTiles version 2 is too old or too new, 3 is needed'],
    ['of pictures', { tile_type: TileType.Png }, 'the archive holds PNG pictures, the map needs vector tiles (MVT)'],
    [
      'of MapLibre tiles',
      { tile_type: TileType.Mlt },
      'the archive holds MapLibre tiles, the map needs vector tiles (MVT)',
    ],
    ['packed in an unknown way', { compression: 9 }, 'the archive is packed in a way that is not known'],
    // Claims a compression that its data does not have.
    ['whose directory cannot be unpacked', { compression: Compression.Zstd }, 'the archive is damaged'],
  ])('is an archive %s', async (_, options, reason) => {
    const bytes = writeArchive({ tiles: TILES, ...options });
    await refusal(await sources.fileOf(bytes)).toThrow(new StartError(`MAP_STREETS: ${reason}`));
  });

  it('is an archive that ends too early', async () => {
    const bytes = writeArchive({ tiles: TILES }).subarray(0, 140);
    await refusal(await sources.fileOf(bytes)).toThrow(new StartError('MAP_STREETS: the archive is cut short'));
  });

  it('has a directory that promises more entries than it has bytes for', async () => {
    const bytes = writeArchive({ tiles: TILES, compression: Compression.None });
    bytes.set([255, 255, 255, 255, 15], 127);
    await refusal(await sources.fileOf(bytes)).toThrow(new StartError('MAP_STREETS: the archive is damaged'));
  });

  it('has a directory with a number that never ends', async () => {
    const bytes = writeArchive({ tiles: TILES, compression: Compression.None });
    bytes.fill(255, 128);
    await refusal(await sources.fileOf(bytes)).toThrow(new StartError('MAP_STREETS: the archive is damaged'));
  });

  it('names parts that are farther away than any file reaches', async () => {
    const bytes = writeArchive({ tiles: TILES });
    // The offset of the metadata, after those of the first directory.
    bytes.writeBigUInt64LE(2n ** 62n, 24);
    await refusal(await sources.fileOf(bytes)).toThrow(new StartError('MAP_STREETS: the archive is damaged'));
  });

  it('is on a host that gives whole files only', async () => {
    const url = await sources.hostOf((_, response) => response.end(writeArchive({ tiles: TILES })));
    await refusal(url).toThrow(new StartError('MAP_STREETS: the host does not answer range requests'));
  });

  it('is not on its host', async () => {
    const url = await sources.hostOf((_, response) => response.writeHead(404).end());
    await refusal(url).toThrow(new StartError('MAP_STREETS: there is no file at the address'));
  });

  it('is on a host that sends more than was requested', async () => {
    const url = await sources.hostOf((_, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-16383/99999' }).end(Buffer.alloc(50_000));
    });
    await refusal(url).toThrow(new StartError('MAP_STREETS: the host sends more than was asked for'));
  });

  it('is empty on its host', async () => {
    const url = await sources.hostOf(answerRange(() => ({ bytes: Buffer.alloc(0) })));
    await refusal(url).toThrow(new StartError('MAP_STREETS: the file at the address is empty'));
  });

  it('is cut short on its host', async () => {
    const bytes = writeArchive({ tiles: TILES }).subarray(0, 127);
    await refusal(await sources.hostOf(answerRange(() => ({ bytes })))).toThrow(
      new StartError('MAP_STREETS: the archive is cut short'),
    );
  });

  it('is sent round in a circle by its host', async () => {
    const url = await sources.hostOf((request, response) => response.writeHead(302, { location: request.url }).end());
    await refusal(url).toThrow(new StartError('MAP_STREETS: the host sends from one address to the next'));
  });

  it('is sent to an invalid address', async () => {
    const url = await sources.hostOf((_, response) => response.writeHead(302, { location: 'ftp://map' }).end());
    await refusal(url).toThrow(new StartError('MAP_STREETS: the host sends to an address that is not followed'));
  });
});
