import 'fake-indexeddb/auto';
import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { center } from '#test/unit/fake-center.ts';

const HERE = { latitude: 43.263, longitude: -2.935 };
const HOUR_MS = 3_600_000;
const REQUEST = { query: { ...HERE, q: '' }, limit: 20, after: null };
const RENAMED = { ...REQUEST, query: { ...HERE, q: 'renamed' } };

beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: HOUR_MS }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  indexedDB.deleteDatabase('sendlap-cache');
});

function makeCenter(number: number, change: Partial<SportCenter> = {}): SportCenter {
  const at = { latitude: HERE.latitude + number / 1000, longitude: HERE.longitude };
  return center(number, { ...at, city: null, place_names: ['Bilbao', 'Bilbo'], ...change });
}

/** Loads the modules again, as a new page does. */
async function openPage() {
  vi.resetModules();
  const [database, engine, centers] = await Promise.all([
    import('./database.ts'),
    import('./center-search-engine.ts'),
    import('./sport-centers.ts'),
  ]);
  return { ...database, ...engine, ...centers, close: async () => (await database.openCache()).close() };
}

test('a database that cannot be read is an error, and the next search tries again', async () => {
  const open = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new Error('no storage here');
  });
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(() => {
    throw new Error('no storage here');
  });
  const page = await openPage();
  const engine = page.createCenterSearchEngine();
  await expect(engine.search(REQUEST)).rejects.toThrow('no storage here');
  open.mockRestore();
  expect((await engine.search(REQUEST)).saved).toBe(0);
  await page.close();
});

test('centers saved on this device are found without the server, by their town too [spec 3.store.sport-centers, 1.centers.find]', async () => {
  const page = await openPage();
  await page.saveSportCenters([makeCenter(1, { name: 'Roca' }), makeCenter(2), makeCenter(3, { place_names: [] })]);
  const found = await page.createCenterSearchEngine().search({ ...REQUEST, query: { ...HERE, q: 'bilbo' } });
  expect(found.items.map(({ name }) => name)).toEqual(['Roca', 'Center 2']);
  expect(found.items[0]?.distance_km).toBeCloseTo(0.111, 3);
  expect(found).toMatchObject({ total: 2, saved: 3, cached_at: HOUR_MS, next: null });
  await page.close();
});

test('a page is as old as the oldest copy on it, and those of a saved city have no lifetime', async () => {
  const page = await openPage();
  await page.saveSportCenters([makeCenter(2)]);
  vi.setSystemTime(3 * HOUR_MS);
  await page.saveSportCenters([makeCenter(1)]);
  const engine = page.createCenterSearchEngine();
  expect((await engine.search({ ...REQUEST, limit: 1 })).cached_at).toBe(3 * HOUR_MS);
  expect(await engine.search(REQUEST)).toMatchObject({ cached_at: HOUR_MS, loose_at: HOUR_MS });
  await page.saveSportCenters([makeCenter(2), makeCenter(1)], 'bilbao');
  expect(await engine.search(REQUEST)).toMatchObject({ loose_at: null });
  await page.close();
});

test('centers written, changed and removed since are found after a refresh, and not before', async () => {
  const page = await openPage();
  await page.saveSportCenters([makeCenter(1), makeCenter(2)]);
  const engine = page.createCenterSearchEngine();
  const names = async () => (await engine.search(REQUEST)).items.map(({ name }) => name);
  expect(await names()).toEqual(['Center 1', 'Center 2']);
  await page.saveSportCenters([makeCenter(1, { name: 'Renamed', latitude: HERE.latitude + 1 }), makeCenter(3)]);
  await (await page.openCache()).delete('sport_centers', makeCenter(2).id);
  expect(await names()).not.toContain('Center 3');
  await engine.refresh();
  expect(await names()).toEqual(['Center 3', 'Renamed']);
  await page.close();
});

test('a clock that was put back hides nothing', async () => {
  const page = await openPage();
  vi.setSystemTime(9 * HOUR_MS);
  await page.saveSportCenters([makeCenter(1)]);
  const engine = page.createCenterSearchEngine();
  await engine.search(REQUEST);
  vi.setSystemTime(HOUR_MS);
  await page.saveSportCenters([makeCenter(2)]);
  await engine.refresh();
  expect((await engine.search(REQUEST)).saved).toBe(2);
  await page.close();
});

test('a copy that changed after the clock was put back is found by its new values', async () => {
  const page = await openPage();
  vi.setSystemTime(9 * HOUR_MS);
  await page.saveSportCenters([makeCenter(1), makeCenter(2)]);
  const engine = page.createCenterSearchEngine();
  const renamed = async () => (await engine.search(RENAMED)).items.map(({ name }) => name);
  expect(await renamed()).toEqual([]);
  vi.setSystemTime(HOUR_MS);
  await page.saveSportCenters([makeCenter(1, { name: 'Renamed' })]);
  await engine.refresh();
  expect(await renamed()).toEqual(['Renamed']);
  vi.setSystemTime(2 * HOUR_MS);
  await page.saveSportCenters([makeCenter(2, { name: 'Renamed too' })]);
  await engine.refresh();
  expect(await renamed()).toEqual(['Renamed', 'Renamed too']);
  await page.close();
});

test('a copy that was stored later than its time is found by its new values', async () => {
  const page = await openPage();
  await page.saveSportCenters([makeCenter(1)]);
  vi.setSystemTime(HOUR_MS + 500);
  await page.saveSportCenters([makeCenter(2)]);
  const engine = page.createCenterSearchEngine();
  await engine.search(REQUEST);
  vi.setSystemTime(HOUR_MS + 300);
  await page.saveSportCenters([makeCenter(1, { name: 'Renamed' })]);
  vi.setSystemTime(HOUR_MS + 700);
  await engine.refresh();
  expect((await engine.search(RENAMED)).items.map(({ name }) => name)).toEqual(['Renamed']);
  await page.close();
});

test('more copies than are read at once are all there, and page after page gives each once', async () => {
  const page = await openPage();
  await page.saveSportCenters(Array.from({ length: 2105 }, (_, number) => makeCenter(number)));
  const engine = page.createCenterSearchEngine();
  const ids: string[] = [];
  let after = null;
  do {
    const { items, next } = await engine.search({ ...REQUEST, limit: 500, after });
    ids.push(...items.map(({ id }) => id));
    after = next;
  } while (after);
  expect(ids).toEqual(Array.from({ length: 2105 }, (_, number) => makeCenter(number).id));
  await page.close();
});
