import { wrap } from 'idb';
import { deleteUserOfDevice } from '../device/last-user.ts';
import { getCopiesIndexedDb, resetCopiesBucket } from './copies-bucket.ts';
import {
  CACHE_VERSION,
  type CacheDatabase,
  type Cached,
  type CacheUpgrade,
  type StoreName,
  upgradeCache,
} from './schema.ts';

/** Lifetime of cached records (spec, section 9). */
export const CACHE_LIFETIME_MS = 24 * 3_600_000;
/** How long to wait for another tab that keeps an older version open (spec, section 9). */
export const OPEN_TIMEOUT_MS = 60_000;

export const CACHE_NAME = 'sendlap-cache';

let opened: Promise<CacheDatabase> | null = null;

/**
 * Opens the cache, which may be lost at any time: if the upgrade fails, the cache is deleted and recreated. A newer
 * version is left alone: this page is outdated, and works without a cache until it is reloaded.
 */
export function openCache(): Promise<CacheDatabase> {
  opened ??= withOpenTimeout(openOrRecreate).catch((error: unknown) => {
    opened = null;
    resetCopiesBucket();
    throw error;
  });
  return opened;
}

async function openOrRecreate(): Promise<CacheDatabase> {
  const indexed_db = await getCopiesIndexedDb();
  try {
    return await open(indexed_db);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'VersionError') throw error;
    console.warn('cache', error);
    await wrap(indexed_db.deleteDatabase(CACHE_NAME));
    return open(indexed_db);
  }
}

async function open(indexed_db: IDBFactory): Promise<CacheDatabase> {
  const opening = indexed_db.open(CACHE_NAME, CACHE_VERSION);
  opening.onupgradeneeded = ({ oldVersion: from }) => {
    const [database, transaction] = [wrap(opening.result), wrap(opening.transaction as IDBTransaction)];
    upgradeCache(database as unknown as CacheDatabase, from, transaction as unknown as CacheUpgrade);
    // A browser that had no buckets before left the copies in the default place.
    if (from === 0 && indexed_db !== indexedDB) indexedDB.deleteDatabase(CACHE_NAME);
  };
  const database = (await wrap(opening)) as unknown as CacheDatabase;
  const resetConnection = () => {
    opened = null;
  };
  database.addEventListener('close', () => {
    resetConnection();
    resetCopiesBucket();
  });
  database.addEventListener('versionchange', () => {
    // Another tab wants to upgrade or delete the database.
    database.close();
    resetConnection();
  });
  return database;
}

/** Rejects after OPEN_TIMEOUT_MS. A database that opens later is closed, because no caller waits for it. */
function withOpenTimeout(work: () => Promise<CacheDatabase>): Promise<CacheDatabase> {
  return new Promise((resolve, reject) => {
    let has_timed_out = false;
    const timer = setTimeout(() => {
      has_timed_out = true;
      reject(new Error(`the cache could not be opened within ${OPEN_TIMEOUT_MS} ms`));
    }, OPEN_TIMEOUT_MS);
    work()
      .then((database) => (has_timed_out ? database.close() : resolve(database)), reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Returns a copy with its times. */
export function toCached<Value>(value: Value, now_ms: number, lifetime_ms = CACHE_LIFETIME_MS): Cached<Value> {
  return { value, cached_at: now_ms, expires_at: now_ms + lifetime_ms };
}

const USER_STORES: StoreName[] = ['user_profile', 'bio_info', 'user_location', 'activities', 'messages', 'threads'];

/** Id prefix of saved parts of the map. They were saved around the user's position, so they reveal it. */
export const AREA_PREFIX = 'area:';

/** Removes all data of the user, of the copies and beside the session's key. */
export async function deleteUserData(): Promise<void> {
  await Promise.all([deleteCopies(), deleteUserOfDevice()]);
}

/**
 * Public copies (centers, tiles, saved towns) stay. All requests are issued at once: the page may be navigating to the
 * provider, and uncommitted changes would be lost. So the tiles and centers of saved parts of the map are only released
 * at the next start.
 */
async function deleteCopies(): Promise<void> {
  const database = await openCache();
  const stores: StoreName[] = [...USER_STORES, 'saved_cities', 'metadata'];
  const transaction = database.transaction(stores, 'readwrite');
  const cleared = USER_STORES.map((name) => transaction.objectStore(name).clear());
  const areas = IDBKeyRange.bound(AREA_PREFIX, `${AREA_PREFIX}\uffff`);
  cleared.push(transaction.objectStore('saved_cities').delete(areas));
  const metadata = transaction.objectStore('metadata');
  const owned = (await metadata.getAll()).filter((entry) => entry.user_id !== null);
  await Promise.all([...cleared, ...owned.map((entry) => metadata.delete(entry.key)), transaction.done]);
}

/**
 * Returns the result of a cache read, or `fallback` if the database fails: a cache may be lost, and the loss is logged,
 * never shown. Not for the outbox. Writes use `tryWrite`.
 */
export async function withFallback<Value, Fallback>(
  work: Promise<Value>,
  fallback: Fallback,
): Promise<Value | Fallback> {
  try {
    return await work;
  } catch (error) {
    console.warn('cache', error);
    return fallback;
  }
}
