import 'fake-indexeddb/auto';
import { afterEach, expect, test, vi } from 'vitest';
import { EVE, NORA } from '#test/unit/fake-server.ts';
import { session } from '../api/client.ts';
import { deleteUserData, openCache } from '../local-db/database.ts';
import { loadMetadata, readMetadata, saveMetadata } from './metadata.ts';

const show = (user: typeof NORA | null) =>
  vi.spyOn(session, 'getState').mockReturnValue({ ...session.getState(), user });

afterEach(async () => {
  vi.restoreAllMocks();
  await (await openCache()).clear('metadata');
});

test('metadata of a user is not stored once that user has signed out, however early the write began', async () => {
  show(NORA);
  const saving = saveMetadata('place', 'Bilbao', NORA.id);
  show(null);
  await Promise.all([saving, deleteUserData()]);
  await saveMetadata('place', 'Bilbao', NORA.id);
  show(EVE);
  await saveMetadata('place', 'Bilbao', NORA.id);
  expect(await loadMetadata('place')).toBeUndefined();
});

test('entries of the signed-in user are kept, and entries without an owner always', async () => {
  show(NORA);
  await saveMetadata('place', 'Bilbao', NORA.id);
  await saveMetadata('last', 1);
  expect([await loadMetadata('place'), await loadMetadata('last')]).toEqual(['Bilbao', 1]);
});

test('an entry of a user is shown to no other, also when it was never wiped', async () => {
  show(NORA);
  await saveMetadata('badges', 'of Nora', NORA.id);
  await saveMetadata('last', 1);
  show(EVE);
  expect(await loadMetadata('badges')).toBeUndefined();
  expect(await loadMetadata('badges', EVE.id)).toBeUndefined();
  show(null);
  expect(await loadMetadata('badges')).toBeUndefined();
  expect([await loadMetadata('badges', NORA.id), await loadMetadata('last')]).toEqual(['of Nora', 1]);
});

test('a database that fails returns nothing, and throws for callers that must not take that for missing', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  await saveMetadata('last', 1);
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(() => {
    throw new DOMException('lost', 'UnknownError');
  });
  await expect(readMetadata('last')).rejects.toThrow('lost');
  expect(await loadMetadata('last')).toBeUndefined();
});
