import { whenDone } from './when-done.ts';

const CACHE = 'sendlap-cache';
type Store = 'activities' | 'sport_centers' | 'map_tiles' | 'saved_cities' | 'metadata' | 'user_location';

/** Returns the copies in one store of the device; empty until the app has created the database. */
export function readCopies<Copy>(store: Store): Promise<Copy[]> {
  return withStore(store, (records) => whenDone(records.getAll()), []);
}

/** Writes an earlier copy over the one of the same key. */
export function restoreCopy(store: Store, copy: unknown): Promise<unknown> {
  return withStore(store, (records) => whenDone(records.put(copy)), undefined);
}

/** Deletes all copies of a store. */
export function deleteCopies(store: Store): Promise<void> {
  return withStore(store, (records) => whenDone(records.clear()), undefined);
}

/** Closes the test's own connection before the app may want to upgrade or delete the database. */
async function withStore<Result>(name: Store, work: (store: IDBObjectStore) => Promise<Result>, fallback: Result) {
  const known = await indexedDB.databases();
  if (!known.some((database) => database.name === CACHE)) return fallback;
  const database = await whenDone(indexedDB.open(CACHE));
  try {
    return await work(database.transaction(name, 'readwrite').objectStore(name));
  } finally {
    database.close();
  }
}
