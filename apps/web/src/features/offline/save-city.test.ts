import 'fake-indexeddb/auto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { center } from '#test/unit/fake-center.ts';
import { openCache } from '#web/shared/local-db/database.ts';
import { TileError, type TileOutcome } from '#web/shared/local-db/map-tiles.ts';
import { loadSavedCity, removeCity } from '#web/shared/local-db/saved-cities.ts';
import { loadSportCenters, saveSportCenters } from '#web/shared/local-db/sport-centers.ts';
import { putTile } from '#web/shared/local-db/tiles-store.ts';
import type { SavableArea } from './savable-area.ts';
import { CENTER_BYTES, type SaveCityDeps, saveCity } from './save-city.ts';

const BILBAO: SavableArea = {
  id: 'geonames:3128026',
  name: 'Bilbao',
  name_es: null,
  country: 'ES',
  latitude: 43.26,
  longitude: -2.93,
  radius_km: 10,
};

let now: number;
let waits: number[];

beforeEach(() => {
  now = 1_000;
  waits = [];
  vi.useFakeTimers({ toFake: ['Date'], now });
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await removeCity(BILBAO.id, { centers: true });
  const database = await openCache();
  for (const name of database.objectStoreNames) await database.clear(name);
});

const pages = [[center(1), center(2)], [center(3)]];

function deps(change: Partial<SaveCityDeps> = {}): SaveCityDeps {
  return {
    async searchPage(_, cursor) {
      const at = Number(cursor ?? 0);
      return {
        items: pages[at] ?? [],
        next_cursor: at + 1 < pages.length ? String(at + 1) : null,
        total: 3,
        total_is_lower_bound: false,
      };
    },
    mapConfig: async () => null,
    async saveTile(city_id, address) {
      const id = `${address.zoom}-${address.x}-${address.y}`;
      await putTile({ id, ...address, data: new ArrayBuffer(10), cached_at: now, expires_at: now + 1 }, city_id);
      return 'stored';
    },
    tileBudget: async () => 1e6,
    base: '',
    now: () => now,
    wait: async (ms) => void waits.push(ms),
    ...change,
  };
}

const save = (change: Partial<SaveCityDeps> = {}, controller = new AbortController(), shares: number[] = []) =>
  saveCity(BILBAO, deps(change), { signal: controller.signal, onProgress: (share) => shares.push(share) });

async function remaining() {
  const database = await openCache();
  const [city, centers, tiles] = await Promise.all([
    loadSavedCity(BILBAO.id),
    loadSportCenters(),
    database.getAllKeys('map_tiles'),
  ]);
  const pinned = (await database.getAllKeysFromIndex('sport_centers', 'pinned', BILBAO.id)).length;
  return { city, centers: centers.length, pinned, tiles: tiles.length };
}

describe('saving a city', () => {
  test('that is cancelled among its centers leaves no city, no pin and no tile', async () => {
    const controller = new AbortController();
    const searchPage: SaveCityDeps['searchPage'] = async (area, cursor, signal) => {
      if (cursor !== null) controller.abort();
      return deps().searchPage(area, cursor, signal);
    };
    expect(await save({ searchPage }, controller)).toBe('cancelled');
    expect(await remaining()).toEqual({ city: null, centers: 2, pinned: 0, tiles: 0 });
  });

  test('that is cancelled among its tiles leaves no city, no pin and no tile', async () => {
    const controller = new AbortController();
    let count = 0;
    const saveTile: SaveCityDeps['saveTile'] = async (city_id, address, signal) => {
      if (++count === 6) controller.abort();
      return deps().saveTile(city_id, address, signal);
    };
    expect(await save({ saveTile }, controller)).toBe('cancelled');
    expect(await remaining()).toMatchObject({ city: null, pinned: 0, tiles: 0 });
  });

  test('without room for its centers leaves nothing half', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const put = IDBObjectStore.prototype.put;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      if (this.name === 'sport_centers') throw new DOMException('disk is full', 'QuotaExceededError');
      return put.apply(this, args);
    });
    expect(await save()).toBe('no_room');
    expect(await remaining()).toEqual({ city: null, centers: 0, pinned: 0, tiles: 0 });
  });

  test('that loses the network resumes later with the missing data', async () => {
    const lost: SaveCityDeps['saveTile'] = () => Promise.reject(new TypeError('Failed to fetch'));
    await expect(save({ saveTile: lost })).rejects.toThrow('Failed to fetch');
    expect(await remaining()).toMatchObject({ city: { state: 'saving', saved_at: null }, pinned: 3 });
    expect(await save()).toBe('saved');
    expect(await remaining()).toMatchObject({ city: { state: 'saved' }, pinned: 3 });
  });

  test('keeps all its centers, page by page, and its map, and says how far it is', async () => {
    const shares: number[] = [];
    expect(await save({}, new AbortController(), shares)).toBe('saved');
    const { city, tiles } = await remaining();
    expect(tiles).toBeGreaterThanOrEqual(9);
    const bytes = 3 * CENTER_BYTES + 10 * tiles;
    const facts = { state: 'saved', center_count: 3, saved_at: now, is_trimmed: false, bytes };
    expect(city).toEqual({ ...BILBAO, ...facts });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  test('calls a part of the map after the town that most of its centers are in', async () => {
    const area = { ...BILBAO, name: null };
    const items = [center(1, { city: 'Getxo' }), center(2), center(3), center(4, { city: null })];
    const searchPage = async () => ({ items, next_cursor: null, total: 4, total_is_lower_bound: false });
    await saveCity(area, deps({ searchPage }), { signal: new AbortController().signal, onProgress: () => {} });
    expect((await remaining()).city).toMatchObject({ name: 'Bilbao' });
  });

  test('asks a busy server again, and says that a tile is missing that it will not give, until it does', async () => {
    let count = 0;
    const saveTile: SaveCityDeps['saveTile'] = async (...args) => {
      if (args[1].zoom === 3 && ++count < 3) throw new TileError(429);
      if (args[1].zoom === 4) throw new TileError(500);
      return deps().saveTile(...args);
    };
    expect(await save({ saveTile })).toBe('saved');
    expect(waits).toContain(2_000);
    expect((await remaining()).city).toMatchObject({ is_trimmed: true });
    expect(await save()).toBe('saved');
    expect((await remaining()).city).toMatchObject({ is_trimmed: false });
  });

  test('ends its map where there is no more room, and says so', async () => {
    let count = 0;
    const saveTile: SaveCityDeps['saveTile'] = async (...args): Promise<TileOutcome> =>
      ++count > 3 ? 'no_room' : deps().saveTile(...args);
    expect(await save({ saveTile })).toBe('saved');
    expect(await remaining()).toMatchObject({ city: { is_trimmed: true }, tiles: 3 });
    expect(count).toBeLessThan(9);
  });
});

describe('refreshing a saved city', () => {
  beforeEach(async () => {
    await save();
    now = 2_000;
    vi.setSystemTime(now);
  });

  test('that is cancelled keeps the older copy', async () => {
    const controller = new AbortController();
    controller.abort();
    expect(await save({}, controller)).toBe('cancelled');
    expect(await remaining()).toMatchObject({ city: { state: 'saved', saved_at: 1_000 }, pinned: 3 });
  });

  test('removes centers that the server no longer has, unless another city does', async () => {
    vi.setSystemTime(1_000);
    await saveSportCenters([center(2)], 'getxo');
    vi.setSystemTime(now);
    const searchPage = async () => ({ items: [center(1)], next_cursor: null, total: 1, total_is_lower_bound: false });
    expect(await save({ searchPage })).toBe('saved');
    expect((await loadSportCenters()).map(({ value }) => value.name)).toEqual(['Center 1', 'Center 2']);
    expect((await remaining()).city).toMatchObject({ saved_at: 2_000, center_count: 1 });
  });
});

test('a city that is removed leaves nothing that no other city needs', async () => {
  await save();
  await saveSportCenters([center(1)], 'getxo');
  await removeCity(BILBAO.id, { centers: true });
  expect(await remaining()).toEqual({ city: null, centers: 1, pinned: 0, tiles: 0 });
});
