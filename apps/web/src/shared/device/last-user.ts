import type { User } from '@sendlap/contract/users.ts';
import { hasDeviceDatabase, withDeviceDatabase } from './device-database.ts';

const LAST = 'last';

/**
 * The signed-in user, beside the key of the session. The profile among the copies goes with them: a failed upgrade, or a
 * browser that is killed while it writes one, loses all copies. Without a user, a start without a network would end in a
 * sign-out.
 */
export function loadUserOfDevice(): Promise<User | null> {
  return withDeviceDatabase(async (database) => (await database.get('users', LAST)) ?? null);
}

/** On disk once it resolves: a phone may be killed a moment after a sign-in. */
export function saveUserOfDevice(user: User): Promise<void> {
  return withDeviceDatabase(async (database) => {
    const saved = await database.get('users', LAST);
    if (JSON.stringify(saved) === JSON.stringify(user)) return;
    const transaction = database.transaction('users', 'readwrite', { durability: 'strict' });
    await Promise.all([transaction.store.put(user, LAST), transaction.done]);
  });
}

export async function deleteUserOfDevice(): Promise<void> {
  // A visitor's browser gets no database.
  if (await hasDeviceDatabase()) await withDeviceDatabase((database) => database.delete('users', LAST));
}
