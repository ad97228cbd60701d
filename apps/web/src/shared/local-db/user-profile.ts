import type { User } from '@sendlap/contract/users.ts';
import { openCache, orElse, stamp } from './database.ts';
import { keep } from './keep.ts';

/** The user who was last signed in on this device, also when the copy is old: without network it is all there is. */
export async function loadLastUser(): Promise<User | null> {
  return orElse(
    openCache().then(async (database) => {
      const copies = await database.getAll('user_profile');
      return copies.sort((a, b) => b.cached_at - a.cached_at)[0]?.value ?? null;
    }),
    null,
  );
}

/** Keeps the profile of the signed-in user, and of nobody else. */
export async function saveUser(user: User): Promise<void> {
  await keep(['user_profile'], async (transaction) => {
    const store = transaction.objectStore('user_profile');
    await store.clear();
    await store.put({ ...stamp(user, Date.now()), user_id: user.id }, user.id);
  });
}
