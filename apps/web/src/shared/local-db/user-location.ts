import type { UserLocation } from '@sendlap/contract/locations.ts';
import { openCache, orElse, stamp } from './database.ts';
import { keep } from './keep.ts';
import type { Cached } from './schema.ts';

/** Where this user last was, as they shared it; null when it is not known here. It is forgotten after a day. */
export async function loadUserLocation(user_id: string): Promise<Cached<UserLocation> | null> {
  return orElse(
    openCache().then(async (database) => {
      const copy = await database.get('user_location', user_id);
      return copy && Date.now() < copy.expires_at ? copy : null;
    }),
    null,
  );
}

/** Keeps where its owner is, and nobody else. */
export async function saveUserLocation(user_id: string, location: UserLocation): Promise<void> {
  await keep(['user_location'], async (transaction) => {
    const store = transaction.objectStore('user_location');
    await store.clear();
    await store.put({ ...stamp(location, Date.now()), user_id }, user_id);
  });
}

export async function removeUserLocation(user_id: string): Promise<void> {
  await keep(['user_location'], (transaction) => transaction.objectStore('user_location').delete(user_id));
}
