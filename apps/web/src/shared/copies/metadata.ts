import { session } from '../api/client.ts';
import { openCache, orElse } from '../local-db/database.ts';
import { keep } from '../local-db/keep.ts';

/**
 * A small value by name (for example last_preload), undefined when there is none: of nobody, or of this user, by default
 * the one who is here. What another tab left of somebody else is nobody's to see. A database that fails has none.
 */
export function loadMetadata(key: string, user_id?: string): Promise<unknown> {
  return orElse(readMetadata(key, user_id), undefined);
}

/** The same for what must not be taken for missing when the database fails: it rejects then. */
export async function readMetadata(key: string, user_id?: string): Promise<unknown> {
  const database = await openCache();
  const entry = await database.get('metadata', key);
  const is_open = !entry || entry.user_id === null || entry.user_id === (user_id ?? session.getState().user?.id);
  return is_open ? entry?.value : undefined;
}

/**
 * Keeps a small value; what names a user goes when the user leaves, and is not kept any more after that. False: there
 * was no room for it, and what was kept before is.
 */
export async function saveMetadata(key: string, value: unknown, user_id: string | null = null): Promise<boolean> {
  return keep(['metadata'], async (transaction) => {
    // Asked within the transaction: what is written before the user left is wiped by a later one.
    if (user_id !== null && session.getState().user?.id !== user_id) return;
    await transaction.objectStore('metadata').put({ key, value, updated_at: Date.now(), user_id });
  });
}

/** Deletes a value of this user's, if it `isDue`. False: the database failed. */
export async function forgetMetadata(
  key: string,
  user_id: string,
  isDue: (value: unknown) => boolean,
): Promise<boolean> {
  return keep(['metadata'], async (transaction) => {
    const store = transaction.objectStore('metadata');
    const entry = await store.get(key);
    if (entry?.user_id === user_id && isDue(entry.value)) await store.delete(key);
  });
}
