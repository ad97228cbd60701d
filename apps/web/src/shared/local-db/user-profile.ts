import type { User } from '@sendlap/contract/users.ts';
import { loadUserOfDevice, saveUserOfDevice } from '../device/last-user.ts';
import { openCache, toCached, withFallback } from './database.ts';
import { tryWrite } from './try-write.ts';

/**
 * Returns the last signed-in user of this device, however old: without network there is no other. Null: no one is signed
 * in; undefined: it cannot be read now. The user beside the session's key goes first: a phone that dies may take back the
 * newest changes of the copies, with the user before.
 */
export async function loadLastUser(): Promise<User | null | undefined> {
  const user = await withFallback(loadUserOfDevice(), 'unreadable' as const);
  if (user !== undefined && user !== 'unreadable') return user;
  // After a sign-out a copy may be left: its page was closed before it was deleted.
  const copy = await withFallback(loadCopy(), undefined);
  return user === 'unreadable' ? (copy ?? undefined) : copy;
}

async function loadCopy(): Promise<User | null> {
  const copies = await (await openCache()).getAll('user_profile');
  return copies.sort((a, b) => b.cached_at - a.cached_at)[0]?.value ?? null;
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
