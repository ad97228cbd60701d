import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createMovedTimer } from '#test/moved-timer.ts';
import { openTileHost, type TileHost } from '#test/servers/tile-host.ts';
import { createTileServer } from './tile-server.ts';

const timer = createMovedTimer();
const down: RequestListener = (_, response) => void response.writeHead(503).end();

let host: TileHost;
let folder: string;
beforeEach(async () => {
  host = await openTileHost();
  folder = await mkdtemp(join(tmpdir(), 'sendlap-kept-tiles-'));
});
afterEach(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

describe('kept tiles', () => {
  const count = async () => (await readdir(join(folder, (await folders())[0] ?? ''))).length;
  const folders = async () => (await readdir(folder)).filter((name) => !name.endsWith('.json'));
  const tiles = (streets: ReturnType<typeof createTileServer>, xs: number[]) =>
    Promise.all(xs.map((x) => streets.getTile({ z: 5, x, y: 0 })));

  test.each([
    ['number', { max_tiles: 3 }],
    ['bytes', { max_bytes: 200 }],
  ])('are bounded by their %s: those that were not used for the longest time are deleted', async (_, limits) => {
    const streets = createTileServer(host.template, { folder, timer, ...limits });
    for (const x of [1, 2, 3, 1, 4]) await tiles(streets, [x]);
    await expect.poll(count).toBe(3);
    host.misbehave = down;
    const again = createTileServer(host.template, { folder, timer, ...limits });
    await tiles(again, [1, 3, 4]);
    await expect(again.getTile({ z: 5, x: 2, y: 0 })).rejects.toThrow();
  });

  test('of another server are deleted, and so are the leftovers of a crash', async () => {
    await tiles(createTileServer(host.template, { folder, timer }), [1]);
    const other = createTileServer(host.template.replace('key=k', 'key=other'), { folder, timer });
    host.misbehave = down;
    const before = await folders();
    await other.open();
    expect(await folders()).toEqual([]);
    host.misbehave = undefined;
    const streets = createTileServer(host.template, { folder, timer });
    await mkdir(join(folder, before[0] ?? ''));
    await writeFile(join(folder, before[0] ?? '', '5-1-0'), '');
    await writeFile(join(folder, before[0] ?? '', '5-1-0.abcd'), 'half');
    expect((await streets.getTile({ z: 5, x: 1, y: 0 })).bytes.length).toBeGreaterThan(0);
    expect(await count()).toBe(1);
  });

  test('are not required: in a read-only folder, tiles are still served', async () => {
    await writeFile(join(folder, 'file'), '');
    const streets = createTileServer(host.template, { folder: join(folder, 'file'), timer });
    expect(await streets.open()).toBeUndefined();
    expect((await streets.getTile({ z: 5, x: 1, y: 0 })).bytes.length).toBeGreaterThan(0);
  });

  test('leave nothing behind when they cannot be written', async () => {
    const streets = createTileServer(host.template, { folder, timer });
    await tiles(streets, [1]);
    // A folder in the place of the tile's file.
    await mkdir(join(folder, (await folders())[0] ?? '', '5-2-0', 'full'), { recursive: true });
    for (let time = 0; time < 3; time += 1) await tiles(streets, [2]);
    expect(await count()).toBe(2);
  });
});
