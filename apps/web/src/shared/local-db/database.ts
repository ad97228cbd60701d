import type { Activity } from '@sendlap/contract/activities.ts';
import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { User } from '@sendlap/contract/users.ts';
import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from 'idb';

/** Lives of cached records (spec, section 9). */
export const CACHE_LIFETIME_MS = 24 * 3_600_000;

const NAME = 'sendlap-cache';
const VERSION = 1;

/** A copy of something that the server has. Times are ms epoch of this device. */
export interface Cached<Value> {
  value: Value;
  cached_at: number;
  expires_at: number;
}

/** A cached copy that only its owner may see. */
export interface OwnedCopy<Value> extends Cached<Value> {
  user_id: string;
}

export interface CacheSchema extends DBSchema {
  /** Public: stays when a user leaves. Key: center id. */
  sport_centers: { key: string; value: Cached<SportCenter> & { city_folded: string }; indexes: { city: string } };
  /** Key: user id. */
  user_profile: { key: string; value: OwnedCopy<User> };
  /** Key: [user_id, client_id]. */
  activities: { key: [string, string]; value: OwnedCopy<Activity> & { client_id: string }; indexes: { owner: string } };
  /** Key: name. `user_id` is null for what belongs to the device. */
  metadata: { key: string; value: { key: string; value: unknown; updated_at: number; user_id: string | null } };
}

export type CacheDatabase = IDBPDatabase<CacheSchema>;

let opened: Promise<CacheDatabase> | null = null;

/** The cache, which may be lost at any time: when it can't be upgraded it is deleted and made anew. */
export function openCache(): Promise<CacheDatabase> {
  opened ??= open()
    .catch(async () => {
      await deleteDB(NAME);
      return open();
    })
    .catch((error: unknown) => {
      opened = null;
      throw error;
    });
  return opened;
}

// Async, for a browser that forbids databases throws at once instead of refusing the promise.
async function open(): Promise<CacheDatabase> {
  return openDB<CacheSchema>(NAME, VERSION, {
    upgrade(database) {
      // The cache has no history worth keeping: every version begins with empty stores.
      for (const name of [...database.objectStoreNames]) database.deleteObjectStore(name);
      database.createObjectStore('sport_centers').createIndex('city', 'city_folded');
      database.createObjectStore('user_profile');
      database.createObjectStore('activities', { keyPath: ['user_id', 'client_id'] }).createIndex('owner', 'user_id');
      database.createObjectStore('metadata', { keyPath: 'key' });
    },
    blocking: close,
    terminated: () => {
      opened = null;
    },
  });
}

/** Lets go of the database: another tab may want to upgrade or delete it. */
function close(): void {
  void opened?.then((database) => database.close());
  opened = null;
}

/** A copy with its times. */
export function stamp<Value>(value: Value, now_ms: number, lifetime_ms = CACHE_LIFETIME_MS): Cached<Value> {
  return { value, cached_at: now_ms, expires_at: now_ms + lifetime_ms };
}

/** Removes everything that belongs to a user. Public copies (centers) stay. */
export async function wipeUser(): Promise<void> {
  const database = await openCache();
  const transaction = database.transaction(['user_profile', 'activities', 'metadata'], 'readwrite');
  const metadata = transaction.objectStore('metadata');
  for (const entry of await metadata.getAll()) if (entry.user_id !== null) await metadata.delete(entry.key);
  await transaction.objectStore('user_profile').clear();
  await transaction.objectStore('activities').clear();
  await transaction.done;
}

/**
 * What a cache read gives, or `fallback` when the database fails: a cache may be lost, and its loss is logged,
 * never shown. Not for the outbox.
 */
export async function orElse<Value, Fallback>(work: Promise<Value>, fallback: Fallback): Promise<Value | Fallback> {
  try {
    return await work;
  } catch (error) {
    console.warn('cache', error);
    return fallback;
  }
}
