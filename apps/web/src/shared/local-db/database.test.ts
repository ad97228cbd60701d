import 'fake-indexeddb/auto';
import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { deleteDB, openDB } from 'idb';
import { afterEach, expect, test, vi } from 'vitest';
import { center } from '#test/unit/fake-center.ts';
import { NORA } from '#test/unit/fake-server.ts';
import type { SavedCity } from './schema.ts';

const IKER_ID = '33333333-3333-4333-8333-333333333333';
const BODY: BioInfo = {
  id: '22222222-2222-4222-8222-222222222222',
  user_id: NORA.id,
  age: 34,
  weight_kg: 61.5,
  height_cm: 170,
  male: false,
  created_at: '2026-11-01T10:00:00.000Z',
  updated_at: '2026-11-01T10:00:00.000Z',
};
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  await deleteDB('sendlap-cache');
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

/** Opens the cache as an older version of the app created it. */
function openVersion(version: number) {
  return openDB('sendlap-cache', version, {
    upgrade(database) {
      database.createObjectStore('sport_centers').createIndex('city', 'city_folded');
      database.createObjectStore('user_profile');
      database.createObjectStore('activities', { keyPath: ['user_id', 'client_id'] }).createIndex('owner', 'user_id');
      database.createObjectStore('metadata', { keyPath: 'key' });
      if (version > 1) database.createObjectStore('bio_info');
    },
  });
}

/** Loads the modules again, as a new page does. */
async function openPage() {
  vi.resetModules();
  const [database, profile, bio_info, metadata, location, centers, cities, engine] = await Promise.all([
    import('./database.ts'),
    import('./user-profile.ts'),
    import('./bio-info.ts'),
    import('../copies/metadata.ts'),
    import('./user-location.ts'),
    import('./sport-centers.ts'),
    import('./saved-cities.ts'),
    import('./center-search-engine.ts'),
  ]);
  const close = async () => (await database.openCache()).close();
  return { ...database, ...profile, ...bio_info, ...metadata, ...location, ...centers, ...cities, ...engine, close };
}

test('a cache of a newer version is left to the newer tab: this page does without until it is loaded anew', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const newer = await openDB('sendlap-cache', 99, { upgrade: (database) => void database.createObjectStore('later') });
  await newer.put('later', 'kept', 1);
  newer.close();
  const page = await openPage();
  await page.saveUser(NORA);
  expect(await page.loadLastUser()).toBeNull();
  const again = await openDB('sendlap-cache', 99);
  expect(await again.get('later', 1)).toBe('kept');
  again.close();
});

test('a cache whose upgrade fails is deleted and made anew, the outbox is not [spec 4.local-db.upgrade-error]', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const outbox = await openDB('sendlap-outbox', 1, { upgrade: (database) => void database.createObjectStore('ops') });
  await outbox.put('ops', 'a step', 1);
  const broken = await openDB('sendlap-cache', 2, {
    // The store of version 3 already exists, so that the upgrade fails to create it.
    upgrade: (database) => void database.createObjectStore('map_tiles'),
  });
  broken.close();
  const page = await openPage();
  await page.saveUser(NORA);
  expect(await page.loadLastUser()).toEqual(NORA);
  expect(await outbox.get('ops', 1)).toBe('a step');
  expect(warn).toHaveBeenCalled();
  outbox.close();
  indexedDB.deleteDatabase('sendlap-outbox');
  await page.close();
});

test('on a full disk, which refuses every record, an upgrade loses nothing', async () => {
  const old = await openVersion(2);
  await old.put('user_profile', { value: NORA, user_id: NORA.id, cached_at: 1, expires_at: 2 }, NORA.id);
  await old.put(
    'sport_centers',
    { value: center(1), cached_at: 1, expires_at: 2, city_folded: '', pinned: [] },
    center(1).id,
  );
  old.close();
  const refuse = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
  for (const write of ['put', 'add'] as const) vi.spyOn(IDBObjectStore.prototype, write).mockImplementation(refuse);
  vi.spyOn(IDBCursor.prototype, 'update').mockImplementation(refuse);
  const page = await openPage();
  expect(await page.loadLastUser()).toEqual(NORA);
  expect((await page.loadSportCenters()).map(({ value }) => value)).toEqual([center(1)]);
  await page.close();
});

test('waits at most 60 s for another tab that keeps an older version open [spec 9.local-db.wait]', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const old = await openVersion(2);
  const page = await openPage();
  let answer: unknown = 'waiting';
  const asked = page.loadLastUser().then((user) => {
    answer = user;
  });
  await vi.advanceTimersByTimeAsync(59_999);
  expect(answer).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(answer).toBeNull();
  expect(String(warn.mock.calls[0]?.[1])).toContain('60000');
  vi.useRealTimers();
  old.close();
  await page.saveUser(NORA);
  expect(await page.loadLastUser()).toEqual(NORA);
  await page.close();
});

test('a failing database gives nothing and is logged, not thrown [spec 8.local-db.logged, 8.local-db.swallowed]', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new Error('no storage here');
  });
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(() => {
    throw new Error('no storage here');
  });
  const page = await openPage();
  expect(await page.loadLastUser()).toBeNull();
  expect(await page.loadSportCenters()).toEqual([]);
  expect(await page.loadMetadata('last_preload')).toBeUndefined();
  expect(await page.loadUserLocation(NORA.id)).toBeNull();
  await page.saveUser(NORA);
  expect(await page.saveSportCenters([center(1)])).toBe(false);
  // Two warnings for each of the six: it can't be upgraded, and it can't be recreated.
  expect(warn).toHaveBeenCalledTimes(12);
});

test('after a user has left nothing of theirs is there, and what is public stays', async () => {
  const page = await openPage();
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

test('after a user has left their parts of the map are gone, which say where they were, and towns stay', async () => {
  const page = await openPage();
  for (const id of ['area', 'area:43.26,-2.93,5', 'area:~', 'geonames:3128026']) await page.saveCityRecord(city(id));
  await page.deleteUserData();
  expect((await page.listSavedCities()).map(({ id }) => id)).toEqual(['area', 'geonames:3128026']);
  await page.close();
});

test('only the last user is kept', async () => {
  const page = await openPage();
  await page.saveUser(NORA);
  await page.saveBioInfo(BODY);
  await page.saveUser({ ...NORA, id: IKER_ID, name: 'Iker' });
  await page.saveBioInfo({ ...BODY, user_id: IKER_ID });
  expect((await page.loadLastUser())?.name).toBe('Iker');
  expect(await (await page.openCache()).getAllKeys('user_profile')).toEqual([IKER_ID]);
  expect(await page.loadBioInfo(NORA.id)).toBeNull();
  await page.close();
});

test('a profile is there for the next page life, and lives 24 hours [spec 1.offline.profile, 3.store.user-profile, 9.cache.profile]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: HOUR_MS });
  const first = await openPage();
  await first.saveUser(NORA);
  await first.close();
  const next = await openPage();
  const copy = { value: NORA, user_id: NORA.id, cached_at: HOUR_MS, expires_at: HOUR_MS + DAY_MS };
  expect(await (await next.openCache()).getAll('user_profile')).toEqual([copy]);
  expect(await next.loadLastUser()).toEqual(NORA);
  await next.close();
});

test('bio info is there for the next page life, and lives 24 hours [spec 1.offline.bio-info, 3.store.bio-info, 9.cache.bio-info]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: HOUR_MS });
  const first = await openPage();
  await first.saveBioInfo(BODY);
  await first.close();
  const next = await openPage();
  const copy = { value: BODY, user_id: NORA.id, cached_at: HOUR_MS, expires_at: HOUR_MS + DAY_MS };
  expect(await next.loadBioInfo(NORA.id)).toEqual(copy);
  expect(await next.loadBioInfo(IKER_ID)).toBeNull();
  await next.removeBioInfo(NORA.id);
  expect(await next.loadBioInfo(NORA.id)).toBeNull();
  await next.close();
});

test('a shared position is there for the next page life, for its owner, and lives 24 hours [spec 1.offline.location, 3.store.user-location, 9.cache.location]', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: HOUR_MS });
  const first = await openPage();
  await first.saveUserLocation(NORA.id, PLACE);
  await first.close();
  const next = await openPage();
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
  const page = await openPage();
  await page.saveMetadata('last_preload', { at: 7 });
  const entry = { key: 'last_preload', value: { at: 7 }, updated_at: HOUR_MS, user_id: null };
  expect(await (await page.openCache()).getAll('metadata')).toEqual([entry]);
  await page.close();
});

test.each([1, 2])(
  'a cache of version %i is upgraded with everything in it [spec 4.local-db.versions]',
  async (version) => {
    const old = await openVersion(version);
    const times = { cached_at: 1, expires_at: 2 };
    const copy = { value: center(1), ...times, city_folded: 'bilbao', pinned: [] };
    await old.put('user_profile', { value: NORA, user_id: NORA.id, ...times }, NORA.id);
    await old.put('sport_centers', copy, copy.value.id);
    await old.put('metadata', { key: 'last_preload', value: 1, updated_at: 1, user_id: null });
    old.close();
    const page = await openPage();
    expect(await page.loadLastUser()).toEqual(NORA);
    expect(await page.loadSportCenters()).toEqual([copy]);
    expect(await page.loadSportCenter(copy.value.id)).toEqual(copy);
    const found = { limit: 9, after: null, query: { sort: 'name' as const } };
    expect((await page.createCenterSearchEngine().search(found)).items).toEqual([{ ...center(1), distance_km: null }]);
    expect(await page.loadMetadata('last_preload')).toBe(1);
    await page.saveBioInfo(BODY);
    expect((await page.loadBioInfo(NORA.id))?.value).toEqual(BODY);
    const database = await page.openCache();
    expect(database.version).toBe(4);
    expect([...database.objectStoreNames]).toEqual([
      'activities',
      'bio_info',
      'map_tiles',
      'messages',
      'metadata',
      'saved_cities',
      'sport_centers',
      'user_location',
      'user_profile',
    ]);
    await page.saveSportCenters([center(1)], 'bilbao');
    expect((await page.loadSportCenters()).map(({ pinned }) => pinned)).toEqual([['bilbao']]);
    await database.put('sport_centers', copy, copy.value.id);
    await page.trimSportCenters(2);
    expect(await page.loadSportCenters()).toEqual([]);
    await page.close();
  },
);
