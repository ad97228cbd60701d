import 'fake-indexeddb/auto';
import { deleteDB, type IDBPDatabase, openDB } from 'idb';
import { afterEach, expect, test, vi } from 'vitest';
import { BODY, importCacheModules } from '#test/unit/cache-page.ts';
import { center } from '#test/unit/fake-center.ts';
import { NORA } from '#test/unit/fake-server.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  for (const name of ['sendlap-cache', 'sendlap-device']) await deleteDB(name);
});

/** Opens the cache as an older version of the app created it. */
function openVersion(version: number) {
  return openDB('sendlap-cache', version, {
    upgrade(database, _from, _to, transaction) {
      database.createObjectStore('sport_centers').createIndex('city', 'city_folded');
      database.createObjectStore('user_profile');
      database.createObjectStore('activities', { keyPath: ['user_id', 'client_id'] }).createIndex('owner', 'user_id');
      database.createObjectStore('metadata', { keyPath: 'key' });
      if (version > 1) database.createObjectStore('bio_info');
      if (version > 2) createStoresOfVersion3(database, transaction.objectStore('sport_centers'));
      if (version > 3) {
        const messages = database.createObjectStore('messages', { keyPath: ['user_id', 'chat_id', 'seq'] });
        messages.createIndex('cached_at', 'cached_at');
      }
    },
  });
}

function createStoresOfVersion3(
  database: IDBPDatabase,
  centers: { createIndex(name: string, key: string, options?: IDBIndexParameters): unknown },
): void {
  database.createObjectStore('user_location');
  database.createObjectStore('saved_cities', { keyPath: 'id' });
  const tiles = database.createObjectStore('map_tiles', { keyPath: 'id' });
  tiles.createIndex('age', ['pin_count', 'cached_at', 'bytes']);
  tiles.createIndex('pinned', 'pinned', { multiEntry: true });
  centers.createIndex('pinned', 'pinned', { multiEntry: true });
  centers.createIndex('cached_at', 'cached_at');
}

test('a cache of a newer version is left to the newer tab: this page does without until it is reloaded, and still knows its user', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const newer = await openDB('sendlap-cache', 99, { upgrade: (database) => void database.createObjectStore('later') });
  await newer.put('later', 'kept', 1);
  newer.close();
  const page = await importCacheModules();
  await page.saveUser(NORA);
  expect(await page.saveSportCenters([center(1)])).toBe(false);
  expect(await page.loadSportCenters()).toEqual([]);
  expect(await page.loadLastUser()).toEqual(NORA);
  const again = await openDB('sendlap-cache', 99);
  expect(await again.get('later', 1)).toBe('kept');
  again.close();
});

test('a cache whose upgrade fails is deleted and created again, the outbox is not [spec 4.local-db.upgrade-error]', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const outbox = await openDB('sendlap-outbox', 1, { upgrade: (database) => void database.createObjectStore('ops') });
  await outbox.put('ops', 'a step', 1);
  const broken = await openDB('sendlap-cache', 2, {
    // The store of version 3 already exists, so that the upgrade fails to create it.
    upgrade: (database) => void database.createObjectStore('map_tiles'),
  });
  broken.close();
  const page = await importCacheModules();
  await page.saveSportCenters([center(1)]);
  expect(await page.loadSportCenters()).toHaveLength(1);
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
  const page = await importCacheModules();
  expect(await page.loadLastUser()).toEqual(NORA);
  expect((await page.loadSportCenters()).map(({ value }) => value)).toEqual([center(1)]);
  await page.close();
});

test('waits at most 60 s for another tab that keeps an older version open [spec 9.local-db.wait]', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const old = await openVersion(2);
  const page = await importCacheModules();
  let answer: unknown = 'waiting';
  const asked = page.loadSportCenters().then((centers) => {
    answer = centers;
  });
  await vi.advanceTimersByTimeAsync(59_999);
  expect(answer).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  await asked;
  expect(answer).toEqual([]);
  expect(String(warn.mock.calls[0]?.[1])).toContain('60000');
  vi.useRealTimers();
  old.close();
  await page.saveSportCenters([center(1)]);
  expect(await page.loadSportCenters()).toHaveLength(1);
  await page.close();
});

test.each([1, 2, 3, 4])(
  'a cache of version %i is upgraded with everything in it [spec 4.local-db.versions]',
  async (version) => {
    const old = await openVersion(version);
    const times = { cached_at: 1, expires_at: 2 };
    const copy = { value: center(1), ...times, city_folded: 'bilbao', pinned: [] };
    await old.put('user_profile', { value: NORA, user_id: NORA.id, ...times }, NORA.id);
    await old.put('sport_centers', copy, copy.value.id);
    await old.put('metadata', { key: 'last_preload', value: 1, updated_at: 1, user_id: null });
    old.close();
    const page = await importCacheModules();
    expect(await page.loadLastUser()).toEqual(NORA);
    expect(await page.loadSportCenters()).toEqual([copy]);
    expect(await page.loadSportCenter(copy.value.id)).toEqual(copy);
    const found = { limit: 9, after: null, query: { sort: 'name' as const } };
    expect((await page.createCenterSearchEngine().search(found)).items).toEqual([{ ...center(1), distance_km: null }]);
    expect(await page.loadMetadata('last_preload')).toBe(1);
    await page.saveBioInfo(BODY);
    expect((await page.loadBioInfo(NORA.id))?.value).toEqual(BODY);
    const database = await page.openCache();
    expect(database.version).toBe(5);
    expect([...database.objectStoreNames]).toEqual([
      'activities',
      'bio_info',
      'map_tiles',
      'messages',
      'metadata',
      'saved_cities',
      'sport_centers',
      'threads',
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
