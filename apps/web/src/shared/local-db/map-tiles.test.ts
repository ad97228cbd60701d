import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SavedCity } from './schema.ts';

const DAY_MS = 86_400_000;
const WORLD = 'https://sendlap.test/v1/tiles/8/125/93.mvt';
const STREETS = 'https://sendlap.test/v1/tiles/streets/8/125/93.mvt';

let online: boolean;
let quota: number;
/** The server's answer, and every requested URL. */
let answer: (url: string) => Response | Error;
let asked: string[];

const bytesOf = (...bytes: number[]) => new Response(new Uint8Array(bytes));
const list = (data: ArrayBuffer) => [...new Uint8Array(data)];

beforeEach(() => {
  [online, quota, asked] = [true, 1e9, []];
  answer = () => bytesOf(1, 2, 3);
  vi.stubGlobal('navigator', {
    get onLine() {
      return online;
    },
    storage: { estimate: async () => ({ quota }) },
  });
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url);
    const given = answer(url);
    if (given instanceof Error) throw given;
    return given;
  });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  await deleteDB('sendlap-cache');
});

/** Loads the modules again, as a new page does. */
async function openPage() {
  vi.resetModules();
  const [database, tiles, store, keep, state] = await Promise.all([
    import('./database.ts'),
    import('./map-tiles.ts'),
    import('./tiles-store.ts'),
    import('./try-write.ts'),
    import('./storage-state.ts'),
  ]);
  const stored = async () => (await database.openCache()).getAll('map_tiles');
  /** The map does not wait until tiles are stored. */
  const settled = (count: number) => vi.waitFor(async () => expect(await stored()).toHaveLength(count));
  const close = async () => (await database.openCache()).close();
  return { ...database, ...tiles, ...store, ...keep, ...state, stored, settled, close };
}

type Page = Awaited<ReturnType<typeof openPage>>;
const address = (zoom: number, x: number) => {
  return { url: `https://sendlap.test/v1/tiles/${zoom}/${x}/0.mvt`, zoom, x, y: 0 };
};
const BILBAO: SavedCity = {
  ...{ id: 'bilbao', name: 'Bilbao', name_es: null, country: 'ES', latitude: 43, longitude: -2, radius_km: 5 },
  ...{ state: 'saved', is_trimmed: false, center_count: 1, bytes: 1, saved_at: 1 },
};
const pin = (page: Page, city: string, x: number) =>
  page.saveTileForCity(city, address(4, x), new AbortController().signal);

describe('without a copy', () => {
  test('a tile that can not be fetched is an error, as is one that the server refuses', async () => {
    const page = await openPage();
    answer = () => new TypeError('Failed to fetch');
    await expect(page.loadTile(WORLD, 8, 125, 93)).rejects.toThrow('Failed to fetch');
    answer = () => new Response(null, { status: 503 });
    await expect(page.loadTile(WORLD, 8, 125, 93)).rejects.toMatchObject({ name: 'TileError', status: 503 });
    expect(await page.stored()).toEqual([]);
    await page.close();
  });

  test.each([204, 404])('an empty tile (%i) is nothing to draw, and is remembered as that', async (status) => {
    const page = await openPage();
    answer = () => new Response(null, { status });
    expect(list(await page.loadTile(WORLD, 8, 125, 93))).toEqual([]);
    await page.settled(1);
    expect(list(await page.loadTile(WORLD, 8, 125, 93))).toEqual([]);
    expect(asked).toHaveLength(1);
    await page.close();
  });
});

test('a tile is kept as zoom-x-y, and streets beside it [spec 1.offline.tiles, 3.store.map-tiles, 3.store.tile-id, 3.cache-record.times]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: DAY_MS });
  const page = await openPage();
  expect(list(await page.loadTile(WORLD, 8, 125, 93))).toEqual([1, 2, 3]);
  await page.loadTile(STREETS, 8, 125, 93);
  await page.settled(2);
  const [world, streets] = await page.stored();
  const times = { cached_at: DAY_MS, expires_at: 8 * DAY_MS };
  expect(world).toMatchObject({ id: '8-125-93', zoom: 8, x: 125, y: 93, url: WORLD, bytes: 3, pinned: [], ...times });
  expect(list((await world?.data.arrayBuffer()) as ArrayBuffer)).toEqual([1, 2, 3]);
  expect(streets).toMatchObject({ id: 'streets-8-125-93', url: STREETS });
  await page.close();
});

test('a tile whose bytes are transferred at once, as a map does to its worker, is still stored', async () => {
  const page = await openPage();
  const data = await page.loadTile(WORLD, 8, 125, 93);
  structuredClone(data, { transfer: [data] });
  expect(data.byteLength).toBe(0);
  await page.settled(1);
  expect(list(await page.loadTile(WORLD, 8, 125, 93))).toEqual([1, 2, 3]);
  await page.close();
});

test('for 7 days a copy is shown at once, an expired one is fetched before use, and without network shown as it is [spec 5.cache.unexpired, 9.cache.tiles]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: DAY_MS });
  const page = await openPage();
  await page.loadTile(WORLD, 8, 125, 93);
  await page.settled(1);
  answer = () => bytesOf(9);
  vi.setSystemTime(8 * DAY_MS - 1);
  expect(list(await page.loadTile(WORLD, 8, 125, 93))).toEqual([1, 2, 3]);
  expect(asked).toHaveLength(1);
  vi.setSystemTime(8 * DAY_MS);
  online = false;
  expect(list(await page.loadTile(WORLD, 8, 125, 93))).toEqual([1, 2, 3]);
  expect(asked).toHaveLength(1);
  online = true;
  expect(list(await page.loadTile(WORLD, 8, 125, 93))).toEqual([9]);
  await vi.waitFor(async () => expect((await page.stored())[0]).toMatchObject({ bytes: 1, cached_at: 8 * DAY_MS }));
  answer = () => new TypeError('Failed to fetch');
  vi.setSystemTime(40 * DAY_MS);
  expect(list(await page.loadTile(WORLD, 8, 125, 93))).toEqual([9]);
  await page.close();
});

describe('the budget', () => {
  test('lets the oldest loose tile go first, and never one of a saved city', async () => {
    quota = 1000; // 100 bytes of tiles
    answer = () => new Response(new Uint8Array(30));
    const page = await openPage();
    vi.useFakeTimers({ toFake: ['Date'], now: 1 });
    await pin(page, 'bilbao', 0);
    for (const x of [1, 2]) {
      vi.setSystemTime(1 + x);
      await page.loadTile(address(4, x).url, 4, x, 0);
      await page.settled(1 + x);
    }
    vi.setSystemTime(9);
    await page.loadTile(address(4, 3).url, 4, 3, 0);
    await vi.waitFor(async () => {
      expect((await page.stored()).map(({ id }) => id)).toEqual(['4-0-0', '4-2-0', '4-3-0']);
    });
    expect(await page.totalTileBytes()).toBe(90);
    await page.close();
  });

  test('refuses a tile that does not fit beside saved cities', async () => {
    quota = 1000;
    answer = () => new Response(new Uint8Array(60));
    const page = await openPage();
    expect(await pin(page, 'bilbao', 0)).toBe('stored');
    expect(await pin(page, 'leon', 1)).toBe('no_room');
    expect(await page.cityTileBudget('leon')).toBe(40);
    expect(await page.cityTileBudget('bilbao')).toBe(100);
    expect(page.storageState.unsavedData()).toBeNull();
    await page.close();
  });
});

describe('tiles of saved cities', () => {
  test('a fresh copy is pinned without being fetched again, and stays until no city needs it', async () => {
    const page = await openPage();
    await page.loadTile(address(4, 0).url, 4, 0, 0);
    await page.settled(1);
    await pin(page, 'bilbao', 0);
    await pin(page, 'leon', 0);
    await pin(page, 'leon', 0);
    expect(asked).toHaveLength(1);
    expect(await page.stored()).toMatchObject([{ pinned: ['bilbao', 'leon'], pin_count: 2 }]);
    expect(await page.countCityTileBytes('leon')).toBe(3);
    await page.unpinTiles('leon');
    expect(await page.stored()).toMatchObject([{ pinned: ['bilbao'], pin_count: 1 }]);
    expect(await page.deleteUnpinnedTiles()).toBe(0);
    await page.unpinTiles('bilbao');
    expect(await page.stored()).toEqual([]);
    expect(await page.pinTile('4-0-0', 'bilbao')).toBe(false);
    await page.close();
  });
});

describe('a full disk', () => {
  /** Makes the next `times` writes of a store fail as on a full disk; deleting still works. */
  function fillDisk(store: string, times: number) {
    let left = times;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      if (this.name === store && left-- > 0) throw new DOMException('disk is full', 'QuotaExceededError');
      return put.apply(this, args);
    });
  }
  const put = IDBObjectStore.prototype.put;

  beforeEach(() => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
  });

  test('never fails the request for a tile, and the user is notified once when deleting tiles did not help', async () => {
    const page = await openPage();
    fillDisk('map_tiles', 99);
    let told = 0;
    page.storageState.subscribe(() => told++);
    expect(list(await page.loadTile(WORLD, 8, 125, 93))).toEqual([1, 2, 3]);
    await vi.waitFor(() => expect(page.storageState.unsavedData()).toBe('copies'));
    expect(told).toBe(1);
    page.storageState.dismiss();
    expect(await pin(page, 'bilbao', 0)).toBe('no_room');
    expect(page.storageState.unsavedData()).toBeNull();
    await page.close();
  });

  test('frees the loose tiles, and the copy is stored', async () => {
    const page = await openPage();
    await page.loadTile(WORLD, 8, 125, 93);
    await page.settled(1);
    await pin(page, 'bilbao', 0);
    fillDisk('metadata', 1);
    const entry = { key: 'a', value: 1, updated_at: 1, user_id: null };
    expect(await page.tryWrite(['metadata'], (transaction) => transaction.objectStore('metadata').put(entry))).toBe(
      true,
    );
    expect((await page.stored()).map(({ id }) => id)).toEqual(['4-0-0']);
    expect(page.storageState.unsavedData()).toBeNull();
    await page.close();
  });

  test('frees no tile for any other failure', async () => {
    const page = await openPage();
    await page.loadTile(WORLD, 8, 125, 93);
    await page.settled(1);
    const failing = () => Promise.reject(new Error('odd'));
    expect(await page.tryWrite(['metadata'], failing)).toBe(false);
    expect(await page.stored()).toHaveLength(1);
    expect(page.storageState.unsavedData()).toBeNull();
    await page.close();
  });

  test('gets all tiles when the outbox needs room and loose ones are hardly anything; saved cities are completed later', async () => {
    const page = await openPage();
    await pin(page, 'bilbao', 0);
    const cities = await import('./saved-cities.ts');
    await cities.saveCityRecord(BILBAO);
    await page.freeSpace();
    expect(await page.stored()).toEqual([]);
    expect(await cities.loadSavedCity('bilbao')).toMatchObject({ state: 'saving', saved_at: 1 });
    // Also if the disk refuses to store that.
    await pin(page, 'bilbao', 0);
    fillDisk('saved_cities', 99);
    await page.freeSpace();
    expect(await page.stored()).toEqual([]);
    await page.close();
  });

  test('deletes a city, even if the tiles that another one shares cannot be written', async () => {
    const page = await openPage();
    await Promise.all([pin(page, 'bilbao', 0), pin(page, 'bilbao', 1)]);
    await pin(page, 'leon', 1);
    const cities = await import('./saved-cities.ts');
    const update = vi.spyOn(IDBCursor.prototype, 'update').mockImplementation(() => {
      throw new DOMException('disk is full', 'QuotaExceededError');
    });
    await cities.removeCity('bilbao', { centers: true });
    expect(update).toHaveBeenCalled();
    expect((await page.stored()).map(({ id }) => id)).toEqual(['4-1-0']);
    await page.close();
  });

  test('is not filled again at once: tiles get half of their previous room', async () => {
    const page = await openPage();
    answer = () => new Response(new Uint8Array(100));
    for (const x of [1, 2, 3, 4]) await page.loadTile(address(4, x).url, 4, x, 0);
    await page.settled(4);
    expect(await page.deleteUnpinnedTiles()).toBe(400);
    for (const x of [1, 2, 3, 4]) await pin(page, 'bilbao', x);
    expect(await page.totalTileBytes()).toBe(200);
    await page.close();
  });

  test('gets only loose tiles when those are enough for the outbox', async () => {
    const page = await openPage();
    await pin(page, 'bilbao', 0);
    answer = () => new Response(new Uint8Array(70_000));
    await page.loadTile(WORLD, 8, 125, 93);
    await page.settled(2);
    await page.freeSpace();
    expect((await page.stored()).map(({ id }) => id)).toEqual(['4-0-0']);
    await page.close();
  });
});
