import 'fake-indexeddb/auto';
import { deleteDB } from 'idb';
import { afterEach, expect, test, vi } from 'vitest';
import { BODY, importCacheModules } from '#test/unit/cache-page.ts';
import { center } from '#test/unit/fake-center.ts';
import { NORA } from '#test/unit/fake-server.ts';
import { deleteSession } from '../device/session-key.ts';
import type { SavedCity } from './schema.ts';

const IKER_ID = '33333333-3333-4333-8333-333333333333';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const name of ['sendlap-cache', 'sendlap-device']) await deleteDB(name);
});

const PLACE = {
  latitude: 43.26,
  longitude: -2.93,
  accuracy: 20,
  timestamp: '2026-11-21T10:00:00.000Z',
  sport_center_id: null,
};

function city(id: string): SavedCity {
  const place = { id, name: 'Bilbao', name_es: null, country: 'ES', latitude: 43.26, longitude: -2.93, radius_km: 10 };
  return { ...place, state: 'saved', is_trimmed: false, center_count: 1, bytes: 1, saved_at: 1 };
}

test('a failing database gives nothing and is logged, not thrown [spec 8.local-db.logged, 8.local-db.swallowed]', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new Error('no storage here');
  });
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(() => {
    throw new Error('no storage here');
  });
  const page = await importCacheModules();
  expect(await page.loadLastUser()).toBeUndefined();
  expect(await page.loadSportCenters()).toEqual([]);
  expect(await page.loadMetadata('last_preload')).toBeUndefined();
  expect(await page.loadUserLocation(NORA.id)).toBeNull();
  await page.saveUser(NORA);
  expect(await page.saveSportCenters([center(1)])).toBe(false);
  // Two warnings for each of the six: it can't be upgraded, and it can't be recreated. Two for the user beside the key.
  expect(warn).toHaveBeenCalledTimes(14);
});

test('after a sign-out the user’s data is gone, and public data stays', async () => {
  const page = await importCacheModules();
  await page.saveUser(NORA);
  await page.saveBioInfo(BODY);
  await page.saveUserLocation(NORA.id, PLACE);
  await page.saveSportCenters([center(1)]);
  await page.saveMetadata('last_preload', 1);
  const draft = { key: 'draft', value: 'secret', updated_at: 1, user_id: NORA.id };
  await (await page.openCache()).put('metadata', draft);
  await page.deleteUserData();
  expect(await page.loadLastUser()).toBeNull();
  expect(await page.loadBioInfo(NORA.id)).toBeNull();
  expect(await page.loadUserLocation(NORA.id)).toBeNull();
  expect(await page.loadSportCenters()).toHaveLength(1);
  expect(await page.loadMetadata('draft')).toBeUndefined();
  expect(await page.loadMetadata('last_preload')).toBe(1);
  await page.close();
});

test('a copy of the profile that a sign-out has not deleted yet signs no user in', async () => {
  const page = await importCacheModules();
  await page.saveUser(NORA);
  await deleteSession();
  expect(await (await page.openCache()).count('user_profile')).toBe(1);
  expect(await page.loadLastUser()).toBeNull();
  await page.saveUser(NORA);
  expect(await page.loadLastUser()).toEqual(NORA);
  await page.close();
});

test('a save of the profile that a sign-out overtakes leaves nothing', async () => {
  const page = await importCacheModules();
  let is_signed_in = true;
  const saved = page.saveUser(NORA, () => is_signed_in);
  is_signed_in = false;
  await Promise.all([saved, page.deleteUserData()]);
  expect(await page.loadLastUser()).toBeNull();
  expect(await (await page.openCache()).count('user_profile')).toBe(0);
  await page.close();
});

test('after a sign-out the user’s parts of the map are gone, which reveal where they were, and towns stay', async () => {
  const page = await importCacheModules();
  for (const id of ['area', 'area:43.26,-2.93,5', 'area:~', 'geonames:3128026']) await page.saveCityRecord(city(id));
  await page.deleteUserData();
  expect((await page.listSavedCities()).map(({ id }) => id)).toEqual(['area', 'geonames:3128026']);
  await page.close();
});

test('only the last user is kept', async () => {
  const page = await importCacheModules();
  await page.saveUser(NORA);
  await page.saveBioInfo(BODY);
  await page.saveUser({ ...NORA, id: IKER_ID, name: 'Iker' });
  await page.saveBioInfo({ ...BODY, user_id: IKER_ID });
  expect((await page.loadLastUser())?.name).toBe('Iker');
  expect(await (await page.openCache()).getAllKeys('user_profile')).toEqual([IKER_ID]);
  expect(await page.loadBioInfo(NORA.id)).toBeNull();
  await page.close();
});

test('a copy of the user before that came back does not show that user', async () => {
  const page = await importCacheModules();
  await page.saveUser(NORA);
  const [own] = await (await page.openCache()).getAll('user_profile');
  await page.saveUser({ ...NORA, id: IKER_ID, name: 'Iker' });
  await (await page.openCache()).clear('user_profile');
  if (own) await (await page.openCache()).put('user_profile', own, NORA.id);
  expect((await page.loadLastUser())?.name).toBe('Iker');
  await page.close();
});

test('a profile is stored for the next page life, with an end of 24 hours [spec 1.offline.profile, 3.store.user-profile]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: HOUR_MS });
  const first = await importCacheModules();
  await first.saveUser(NORA);
  await first.close();
  const next = await importCacheModules();
  const copy = { value: NORA, user_id: NORA.id, cached_at: HOUR_MS, expires_at: HOUR_MS + DAY_MS };
  expect(await (await next.openCache()).getAll('user_profile')).toEqual([copy]);
  expect(await next.loadLastUser()).toEqual(NORA);
  await next.close();
});

test('bio info is stored for the next page life, with an end of 24 hours [spec 1.offline.bio-info, 3.store.bio-info]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: HOUR_MS });
  const first = await importCacheModules();
  await first.saveBioInfo(BODY);
  await first.close();
  const next = await importCacheModules();
  const copy = { value: BODY, user_id: NORA.id, cached_at: HOUR_MS, expires_at: HOUR_MS + DAY_MS };
  expect(await next.loadBioInfo(NORA.id)).toEqual(copy);
  expect(await next.loadBioInfo(IKER_ID)).toBeNull();
  await next.removeBioInfo(NORA.id);
  expect(await next.loadBioInfo(NORA.id)).toBeNull();
  await next.close();
});

test('a shared position is stored for the next page life, for its owner, and lives 24 hours [spec 1.offline.location, 3.store.user-location, 9.cache.location]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: HOUR_MS });
  const first = await importCacheModules();
  await first.saveUserLocation(NORA.id, PLACE);
  await first.close();
  const next = await importCacheModules();
  const copy = { value: PLACE, user_id: NORA.id, cached_at: HOUR_MS, expires_at: HOUR_MS + DAY_MS };
  expect(await next.loadUserLocation(NORA.id)).toEqual(copy);
  expect(await next.loadUserLocation(IKER_ID)).toBeNull();
  vi.setSystemTime(HOUR_MS + DAY_MS);
  expect(await next.loadUserLocation(NORA.id)).toBeNull();
  vi.setSystemTime(HOUR_MS);
  await next.removeUserLocation(NORA.id);
  expect(await next.loadUserLocation(NORA.id)).toBeNull();
  await next.close();
});

test('metadata has a key, a value and when it was updated [spec 3.store.metadata, 3.metadata.fields]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: HOUR_MS });
  const page = await importCacheModules();
  await page.saveMetadata('last_preload', { at: 7 });
  const entry = { key: 'last_preload', value: { at: 7 }, updated_at: HOUR_MS, user_id: null };
  expect(await (await page.openCache()).getAll('metadata')).toEqual([entry]);
  await page.close();
});
