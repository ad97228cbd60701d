import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeArchive } from '#build/write-archive.ts';
import { type ArchiveSources, answerRange, createArchiveSources, type HostedArchive } from '#test/archive-sources.ts';
import { createMovedTimer } from '#test/moved-timer.ts';
import { createMapArchive } from './map-archive.ts';
import type { TileSource } from './tile-source.ts';

const FIRST = { z: 5, x: 16, y: 12 };
const SECOND = { z: 5, x: 17, y: 12 };
const PAUSE_MS = 5_000;
/** A fake clock: advances only when a test lets a pause pass. */
const timer = createMovedTimer();
/** Longer than the tests run: nothing here depends on the speed of a host, or on when it may be queried again. */
const NEVER_MS = 60_000;

/** Random bytes are incompressible, so the two lengths determine where each tile is in the file. */
const mapOf = (first: number, second: number) =>
  writeArchive({
    tiles: [
      { ...FIRST, bytes: randomBytes(first) },
      { ...SECOND, bytes: randomBytes(second) },
    ],
  });
const OLD = mapOf(100, 300);
const NEW = mapOf(301, 100);
const BROKEN = Buffer.from(OLD).fill(0, OLD.length - 200);
const ONE_SIZE = 2000;
const padded = (bytes: Buffer) => Buffer.concat([bytes], ONE_SIZE);

let sources: ArchiveSources;
beforeAll(async () => {
  sources = await createArchiveSources();
});
afterAll(() => sources.close());

async function openStreets(location: string, pause_ms = PAUSE_MS): Promise<TileSource> {
  const streets = createMapArchive(location, { timeout_ms: NEVER_MS, open_ms: NEVER_MS, pause_ms, timer });
  expect(await streets.open()).toBeUndefined();
  return streets;
}

const lengthOf = async (map: Buffer, streets: TileSource, tile = SECOND) => {
  const path = await sources.fileOf(map);
  const expected = await (await openStreets(path)).getTile(tile);
  return [(await streets.getTile(tile)).bytes.length, expected.bytes.length];
};
async function expectMap(streets: TileSource, map: Buffer): Promise<void> {
  const [found, expected] = await lengthOf(map, streets);
  expect(found).toBe(expected);
}
const unavailable = { code: 'unavailable' };

describe('a tile that is damaged', () => {
  it('is not given, but all others are', async () => {
    const streets = await openStreets(await sources.fileOf(BROKEN));
    await expect(streets.getTile(SECOND)).rejects.toMatchObject(unavailable);
    expect((await streets.getTile(FIRST)).gzipped).toBe(true);
  });

  it('is one that unpacks to more than any map has', async () => {
    const tiles = [{ ...FIRST, bytes: Buffer.alloc(5 * 1024 * 1024) }];
    const streets = await openStreets(await sources.fileOf(writeArchive({ tiles })));
    await expect(streets.getTile(FIRST)).rejects.toMatchObject(unavailable);
  });
});

describe('a file that is replaced', () => {
  it('is read again when it was overwritten in place', async () => {
    const path = await sources.fileOf(padded(OLD));
    const streets = await openStreets(path, NEVER_MS);
    await streets.getTile(FIRST);
    await writeFile(path, padded(NEW));
    await expectMap(streets, NEW);
  });

  it('is read again when another file took its name', async () => {
    const path = await sources.fileOf(OLD);
    const streets = await openStreets(path, NEVER_MS);
    await rename(await sources.fileOf(NEW), path);
    await expectMap(streets, NEW);
  });

  it('keeps the old tiles while the new file is not whole', async () => {
    const path = await sources.fileOf(OLD);
    const streets = await openStreets(path);
    const first = await streets.getTile(FIRST);
    await writeFile(path, NEW.subarray(0, 150));
    await expect(streets.getTile(SECOND)).rejects.toMatchObject(unavailable);
    expect(await streets.getTile(FIRST)).toEqual(first);
    expect(await streets.describe()).toMatchObject({ max_zoom: 5 });
    await writeFile(path, NEW);
    timer.advance(PAUSE_MS);
    await expectMap(streets, NEW);
  });

  it('is missed only until it is back', async () => {
    const path = await sources.fileOf(OLD);
    const streets = await openStreets(path);
    await rm(path);
    await expect(streets.getTile(SECOND)).rejects.toMatchObject(unavailable);
    await writeFile(path, NEW);
    await expectMap(streets, NEW);
  });
});

describe('a map that is replaced on its host', () => {
  it.each<[string, HostedArchive, HostedArchive]>([
    ['its date', { bytes: padded(OLD), last_modified: 'Sat, 21' }, { bytes: padded(NEW), last_modified: 'Sun, 22' }],
    ['its size', { bytes: OLD }, { bytes: NEW }],
  ])('is read again at once where the host sends %s', async (_, before, after) => {
    let hosted = before;
    const streets = await openStreets(await sources.hostOf(answerRange(() => hosted)), NEVER_MS);
    await streets.getTile(FIRST);
    hosted = after;
    await expectMap(streets, NEW);
  });

  it('is read again after a pause where the host sends no sign of it', async () => {
    let bytes = padded(OLD);
    const url = await sources.hostOf(answerRange(() => ({ bytes, tells_size: false })));
    const streets = await openStreets(url);
    bytes = padded(NEW);
    await expect(streets.getTile(SECOND)).rejects.toMatchObject(unavailable);
    timer.advance(PAUSE_MS);
    await expectMap(streets, NEW);
  });
});

describe('a host that went away', () => {
  const whole = answerRange(() => ({ bytes: OLD, etag: '"1"' }));

  it.each<[string, RequestListener]>([
    ['fails', (_, response) => void response.writeHead(500).end()],
    ['has lost the map', (_, response) => void response.writeHead(404).end()],
  ])('keeps the tiles that were read, and is asked for the others once, when it %s', async (_, away) => {
    let answer = whole;
    let asked = 0;
    const url = await sources.hostOf((request, response) => {
      asked += 1;
      answer(request, response);
    });
    const streets = await openStreets(url, NEVER_MS);
    const first = await streets.getTile(FIRST);
    answer = away;
    asked = 0;
    await expect(streets.getTile(SECOND)).rejects.toMatchObject(unavailable);
    await expect(streets.getTile(SECOND)).rejects.toMatchObject(unavailable);
    expect(asked).toBe(1);
    expect(await streets.getTile(FIRST)).toEqual(first);
    expect(await streets.describe()).toMatchObject({ min_zoom: 5, max_zoom: 5 });
  });

  it('may redirect to another', async () => {
    const other = await sources.hostOf(whole);
    const url = await sources.hostOf((_, response) => response.writeHead(302, { location: other }).end());
    await expectMap(await openStreets(url), OLD);
  });
});
