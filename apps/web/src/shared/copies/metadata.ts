import { session } from '../api/client.ts';
import { openCache, withFallback } from '../local-db/database.ts';
import { tryWrite } from '../local-db/try-write.ts';

/**
 * Returns a small value by name (e.g. last_preload), undefined without one: of the device or of this user, by default
 * the signed-in one. Never returns a value that another tab left of another user. Returns undefined if the database
 * fails.
 */
export function loadMetadata(key: string, user_id?: string): Promise<unknown> {
  return withFallback(readMetadata(key, user_id), undefined);
}

/** Like `loadMetadata`, but rejects if the database fails: for values that must not be mistaken for missing. */
export async function readMetadata(key: string, user_id?: string): Promise<unknown> {
  const database = await openCache();
  const entry = await database.get('metadata', key);
  const is_readable = !entry || entry.user_id === null || entry.user_id === (user_id ?? session.getState().user?.id);
  return is_readable ? entry?.value : undefined;
}

/**
 * Saves a small value. A value with a user is deleted when that user signs out, and is not saved after that. Returns
 * false if there was no room: the previous value stays.
 */
export async function saveMetadata(key: string, value: unknown, user_id: string | null = null): Promise<boolean> {
  return tryWrite(['metadata'], async (transaction) => {
    // Checked within the transaction: if the user signs out later, a later transaction deletes the value.
    if (user_id !== null && session.getState().user?.id !== user_id) return;
    await transaction.objectStore('metadata').put({ key, value, updated_at: Date.now(), user_id });
  });
}

/** Deletes a value of this user if it `shouldDelete`. Returns false if the database failed. */
export async function deleteMetadataIf(
  key: string,
  user_id: string,
  shouldDelete: (value: unknown) => boolean,
): Promise<boolean> {
  return tryWrite(['metadata'], async (transaction) => {
    const store = transaction.objectStore('metadata');
    const entry = await store.get(key);
    if (entry?.user_id === user_id && shouldDelete(entry.value)) await store.delete(key);
  });
}
