import type { User } from '@sendlap/contract/users.ts';
import { loadUserOfDevice, saveUserOfDevice } from '../device/last-user.ts';
import { openCache, toCached, withFallback } from './database.ts';
import { tryWrite } from './try-write.ts';

/**
 * Returns the last signed-in user of this device, however old: without network there is no other. The user beside the
 * session's key goes first: a phone that dies may take back the newest changes of the copies, with the user before.
 */
export async function loadLastUser(): Promise<User | null> {
  const user = await withFallback(loadUserOfDevice(), undefined);
  // After a sign-out a copy may be left: its page was closed before it was deleted.
  return user === undefined ? loadCopy() : user;
}

function loadCopy(): Promise<User | null> {
  return withFallback(
    openCache().then(async (database) => {
      const copies = await database.getAll('user_profile');
      return copies.sort((a, b) => b.cached_at - a.cached_at)[0]?.value ?? null;
    }),
    null,
  );
}

/** Saves the signed-in user's profile, which replaces any other user's; not if the user has signed out since. */
export async function saveUser(user: User, isSignedIn = () => true): Promise<void> {
  await withFallback(saveUserOfDevice(user, isSignedIn), undefined);
  await tryWrite(['user_profile'], async (transaction) => {
    if (!isSignedIn()) return;
    const store = transaction.objectStore('user_profile');
    await store.clear();
    await store.put({ ...toCached(user, Date.now()), user_id: user.id }, user.id);
  });
}
