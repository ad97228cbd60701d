import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NORA } from '#test/unit/fake-server.ts';

let bucket: { indexedDB: IDBFactory; persist: () => Promise<boolean> };
const open = vi.fn();

beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal('indexedDB', new IDBFactory());
  bucket = { indexedDB: new IDBFactory(), persist: vi.fn(async () => true) };
  open.mockReset().mockImplementation(async () => bucket);
  vi.stubGlobal('navigator', { storageBuckets: { open }, storage: { persist: vi.fn(async () => true) } });
});

afterEach(() => vi.unstubAllGlobals());

async function namesIn(factory: Pick<IDBFactory, 'databases'>): Promise<(string | undefined)[]> {
  return (await factory.databases()).map(({ name }) => name);
}

test('copies are in a bucket of their own, and nothing of them in the default place, where a browser without buckets left some', async () => {
  const before = indexedDB.open('sendlap-cache');
  await new Promise((resolve) => before.addEventListener('success', resolve));
  before.result.close();
  const { saveUser, loadLastUser } = await import('./user-profile.ts');
  await saveUser(NORA);
  expect(await loadLastUser()).toEqual(NORA);
  expect(await namesIn(bucket.indexedDB)).toEqual(['sendlap-cache']);
  // The user's profile is also beside the session's key, where the loss of the copies does not reach it.
  expect(await namesIn(indexedDB)).toEqual(['sendlap-device']);
});

test('a device that has lost its copies still knows its user, until the sign-out', async () => {
  const { saveUser } = await import('./user-profile.ts');
  await saveUser(NORA);
  vi.resetModules();
  bucket.indexedDB = new IDBFactory();
  const { loadLastUser } = await import('./user-profile.ts');
  expect(await loadLastUser()).toEqual(NORA);
  const { deleteUserData } = await import('./database.ts');
  await deleteUserData();
  expect(await loadLastUser()).toBeNull();
});

test('a bucket that could not be opened is opened at the next use', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  open.mockRejectedValueOnce(new DOMException('', 'UnknownError'));
  const { saveUser, loadLastUser } = await import('./user-profile.ts');
  expect(await loadLastUser()).toBeUndefined();
  await saveUser(NORA);
  expect(await loadLastUser()).toEqual(NORA);
});

test('all parts of a page share one bucket, which is asked to be kept beside the default place', async () => {
  const { getCopiesIndexedDb, requestPersistentStorage } = await import('./copies-bucket.ts');
  expect(await Promise.all([getCopiesIndexedDb(), getCopiesIndexedDb()])).toEqual([bucket.indexedDB, bucket.indexedDB]);
  expect(open).toHaveBeenCalledTimes(1);
  await requestPersistentStorage();
  expect(navigator.storage.persist).toHaveBeenCalledTimes(1);
  expect(bucket.persist).toHaveBeenCalledTimes(1);
});
