import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { center } from '#test/unit/fake-center.ts';
import { deleteUserData, openCache } from '#web/shared/local-db/database.ts';
import { saveCityRecord } from '#web/shared/local-db/saved-cities.ts';
import { loadSportCenters, saveSportCenters } from '#web/shared/local-db/sport-centers.ts';
import { putTile } from '#web/shared/local-db/tiles-store.ts';
import { releaseDeletedCities } from './deleted-cities.ts';

const AREA = 'area:43.26,-2.93,5';
const TOWN = 'geonames:3128026';
const PLACE = { name: 'Bilbao', name_es: null, country: 'ES', latitude: 43.26, longitude: -2.93, radius_km: 10 };

beforeEach(async () => {
  const facts = { state: 'saved' as const, is_trimmed: false, center_count: 1, bytes: 1, saved_at: 1 };
  for (const [at, id] of [AREA, TOWN].entries()) {
    await saveCityRecord({ ...PLACE, ...facts, id });
    await saveSportCenters([center(at + 1)], id);
    await putTile({ ...tile(at), data: new ArrayBuffer(10) }, id);
  }
});

afterEach(async () => {
  const database = await openCache();
  for (const name of database.objectStoreNames) await database.clear(name);
});

const tile = (x: number) => ({ id: `8-${x}-1`, zoom: 8, x, y: 1, url: '', cached_at: 1, expires_at: 2 });

async function remaining() {
  const tiles = await (await openCache()).getAll('map_tiles');
  return {
    centers: (await loadSportCenters()).map((copy) => (copy as unknown as { pinned: string[] }).pinned),
    tiles: tiles.map(({ pinned }) => pinned),
  };
}

test('copies of a saved city stay, also while another tab begins to save it', async () => {
  await releaseDeletedCities();
  expect(await remaining()).toEqual({ centers: [[AREA], [TOWN]], tiles: [[AREA], [TOWN]] });
  await deleteUserData();
  await navigator.locks.request(`sendlap-city-${AREA}`, releaseDeletedCities);
  expect(await remaining()).toEqual({ centers: [[AREA], [TOWN]], tiles: [[AREA], [TOWN]] });
});

test('copies for a part of the map that was deleted with its user are released', async () => {
  await deleteUserData();
  await releaseDeletedCities();
  expect(await remaining()).toEqual({ centers: [[], [TOWN]], tiles: [[TOWN]] });
});
