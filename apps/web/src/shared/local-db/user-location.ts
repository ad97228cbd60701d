import type { UserLocation } from '@sendlap/contract/locations.ts';
import { openCache, toCached, withFallback } from './database.ts';
import type { Cached } from './schema.ts';
import { tryWrite } from './try-write.ts';

/** Returns where this user was last; null if this device does not know. It is deleted after a day. */
export async function loadUserLocation(user_id: string): Promise<Cached<UserLocation> | null> {
  return withFallback(
    openCache().then(async (database) => {
      const copy = await database.get('user_location', user_id);
      return copy && Date.now() < copy.expires_at ? copy : null;
    }),
    null,
  );
}

/** Copies the signed-in user's position, which replaces any other user's; not if the user has signed out since. */
export async function saveUserLocation(
  user_id: string,
  location: UserLocation,
  isSignedIn = () => true,
): Promise<void> {
  await tryWrite(['user_location'], async (transaction) => {
    if (!isSignedIn()) return;
    const store = transaction.objectStore('user_location');
    await store.clear();
    await store.put({ ...toCached(location, Date.now()), user_id }, user_id);
  });
}

export async function removeUserLocation(user_id: string): Promise<void> {
  await tryWrite(['user_location'], (transaction) => transaction.objectStore('user_location').delete(user_id));
}
