import type { User } from '@sendlap/contract/users.ts';
import { forgetUser, USER, withDeviceDatabase } from './device-database.ts';

/**
 * The signed-in user, beside the key of the session. The profile among the copies goes with them: a failed upgrade, or a
 * browser that is killed while it writes one, loses all copies. Without a user, a start without a network would end in a
 * sign-out. Null after a sign-out; undefined if this device has not noted any user yet.
 */
export function loadUserOfDevice(): Promise<User | null | undefined> {
  return withDeviceDatabase(async (database) => {
    const text = await database.get('facts', USER);
    return text === undefined ? undefined : JSON.parse(text);
  });
}

/**
 * On disk once it resolves: a phone may be killed a moment after a sign-in. Saves nothing if the user has signed out
 * since the call: it would undo that.
 */
export function saveUserOfDevice(user: User, isSignedIn = () => true): Promise<void> {
  const text = JSON.stringify(user);
  return withDeviceDatabase(async (database) => {
    if ((await database.get('facts', USER)) === text || !isSignedIn()) return;
    const transaction = database.transaction('facts', 'readwrite', { durability: 'strict' });
    await Promise.all([transaction.store.put(text, USER), transaction.done]);
  });
}

export function deleteUserOfDevice(): Promise<void> {
  return forgetUser({ with_key: false });
}
