import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { center } from '#test/unit/fake-center.ts';
import { CENTER_CHANNEL } from './center-changes.ts';
import { cleanUp } from './clean-up.ts';
import { openCache } from './database.ts';
import {
  countSportCenters,
  hasSportCenters,
  loadSportCenter,
  loadSportCenters,
  saveSportCenters,
  unpinSportCenters,
} from './sport-centers.ts';

const DAY_MS = 86_400_000;
const NOW = 100 * DAY_MS;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: NOW });
});

afterEach(async () => {
  // Flushes this test's pending announcements, so that the next test does not hear them.
  vi.runOnlyPendingTimers();
  vi.useRealTimers();
  const database = await openCache();
  for (const name of database.objectStoreNames) await database.clear(name);
});

const ids = async () => (await loadSportCenters()).map(({ value }) => value.name);

test('centers are stored for use without network, with an end of 24 hours, and can be counted [spec 1.offline.sport-centers, 3.store.sport-centers]', async () => {
  expect(await hasSportCenters()).toBe(false);
  expect(await saveSportCenters([center(1), center(2)])).toBe(true);
  const times = { cached_at: NOW, expires_at: NOW + DAY_MS };
  expect(await loadSportCenter(center(1).id)).toEqual({
    value: center(1),
    ...times,
    city_folded: 'bilbao',
    pinned: [],
  });
  expect(await countSportCenters()).toEqual({ count: 2, oldest_at: NOW });
});

test('fields that hold for one search only are not stored', async () => {
  await saveSportCenters([{ ...center(1), distance_km: 3, activity_count: 9 } as ReturnType<typeof center>]);
  expect((await loadSportCenter(center(1).id))?.value).toEqual(center(1));
});

test('a newer copy replaces the older one and stays pinned to its cities', async () => {
  await saveSportCenters([center(1)], 'bilbao');
  await saveSportCenters([center(1)], 'getxo');
  vi.setSystemTime(NOW + 1);
  await saveSportCenters([center(1, { name: 'New name' })]);
  const copy = { value: center(1, { name: 'New name' }), cached_at: NOW + 1, pinned: ['bilbao', 'getxo'] };
  expect(await loadSportCenters()).toMatchObject([copy]);
});

test('a city that is removed leaves its centers as ordinary copies, or removes those that no other needs', async () => {
  await saveSportCenters([center(1), center(2)], 'bilbao');
  await saveSportCenters([center(2)], 'getxo');
  await unpinSportCenters('bilbao', { remove: false });
  expect((await loadSportCenters()).map((copy) => (copy as unknown as { pinned: string[] }).pinned)).toEqual([
    [],
    ['getxo'],
  ]);
  await saveSportCenters([center(3)], 'getxo');
  vi.setSystemTime(NOW + 1);
  await saveSportCenters([center(3)], 'getxo');
  await unpinSportCenters('getxo', { remove: true, stored_before: NOW + 1 });
  expect(await ids()).toEqual(['Center 1', 'Center 3']);
});

test('cleaning up removes centers older than 30 days, and none of a saved city [spec 9.cache.cleanup]', async () => {
  const database = await openCache();
  await saveSportCenters([center(1)]);
  await saveSportCenters([center(2)], 'bilbao');
  vi.setSystemTime(NOW + 1);
  await saveSportCenters([center(3)]);
  const tile = { zoom: 1, x: 0, y: 0, url: '', data: new Blob(['x']), bytes: 1, expires_at: 0 };
  await database.put('map_tiles', { ...tile, id: 'old', cached_at: NOW, pinned: [], pin_count: 0 });
  await database.put('map_tiles', { ...tile, id: 'saved', cached_at: NOW, pinned: ['bilbao'], pin_count: 1 });
  await database.put('map_tiles', { ...tile, id: 'new', cached_at: NOW + 1, pinned: [], pin_count: 0 });
  await cleanUp(NOW + 30 * DAY_MS);
  expect(await ids()).toHaveLength(3);
  await cleanUp(NOW + 30 * DAY_MS + 1);
  expect(await ids()).toEqual(['Center 2', 'Center 3']);
  expect(await database.getAllKeys('map_tiles')).toEqual(['new', 'saved']);
});

test('cleaning up forgets a position when its day is over', async () => {
  const database = await openCache();
  const value = { latitude: 1, longitude: 2, accuracy: null, timestamp: '', sport_center_id: null };
  await database.put('user_location', { value, user_id: 'a', cached_at: NOW, expires_at: NOW + DAY_MS }, 'a');
  await cleanUp(NOW + DAY_MS - 1);
  expect(await database.count('user_location')).toBe(1);
  await cleanUp(NOW + DAY_MS);
  expect(await database.count('user_location')).toBe(0);
});

test('copies in memory get one change message for many writes', async () => {
  const channel = new BroadcastChannel(CENTER_CHANNEL);
  let heard = 0;
  channel.addEventListener('message', () => heard++);
  // On a fake clock, which a slow disk does not advance.
  for (let at = 1; at < 9; at++) await saveSportCenters([center(at)]);
  await vi.waitFor(() => expect(heard).toBeGreaterThan(0));
  expect(heard).toBe(1);
  channel.close();
});
