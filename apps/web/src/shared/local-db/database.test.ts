import 'fake-indexeddb/auto';
import { openDB } from 'idb';
import { afterEach, expect, test, vi } from 'vitest';
import { NORA } from '#web/shared/api/fake-server.ts';

afterEach(() => {
  vi.restoreAllMocks();
  indexedDB.deleteDatabase('sendlap-cache');
});

/** The modules of a page life of their own. */
async function openPage() {
  vi.resetModules();
  const [database, profile, metadata] = await Promise.all([
    import('./database.ts'),
    import('./user-profile.ts'),
    import('./metadata.ts'),
  ]);
  return { ...database, ...profile, ...metadata, close: async () => (await database.openCache()).close() };
}

test('a cache that can not be upgraded is deleted and made anew', async () => {
  const newer = await openDB('sendlap-cache', 99);
  newer.close();
  const page = await openPage();
  await page.saveUser(NORA);
  expect(await page.loadLastUser()).toEqual(NORA);
  await page.close();
});

test('a failing database gives nothing and is logged, not thrown', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new Error('no storage here');
  });
  vi.spyOn(indexedDB, 'deleteDatabase').mockImplementation(() => {
    throw new Error('no storage here');
  });
  const page = await openPage();
  expect(await page.loadLastUser()).toBeNull();
  expect(warn).toHaveBeenCalled();
});

test('after a user has left nothing of theirs is there, and what is public stays', async () => {
  const page = await openPage();
  await page.saveUser(NORA);
  await page.saveMetadata('last_preload', 1);
  await page.saveMetadata('draft', 'secret', NORA.id);
  await page.wipeUser();
  expect(await page.loadLastUser()).toBeNull();
  expect(await page.loadMetadata('draft')).toBeUndefined();
  expect(await page.loadMetadata('last_preload')).toBe(1);
  await page.close();
});

test('only the last user is kept', async () => {
  const page = await openPage();
  await page.saveUser(NORA);
  await page.saveUser({ ...NORA, id: '33333333-3333-4333-8333-333333333333', name: 'Iker' });
  expect((await page.loadLastUser())?.name).toBe('Iker');
  await page.close();
});
