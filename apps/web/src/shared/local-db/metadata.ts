import { openCache, orElse } from './database.ts';

/** A small value by name (for example last_preload), undefined when there is none. */
export async function loadMetadata(key: string): Promise<unknown> {
  return orElse(
    openCache().then(async (database) => (await database.get('metadata', key))?.value),
    undefined,
  );
}

/** Keeps a small value; what names a user goes when the user leaves. */
export async function saveMetadata(key: string, value: unknown, user_id: string | null = null): Promise<void> {
  await orElse(
    openCache().then((database) => database.put('metadata', { key, value, updated_at: Date.now(), user_id })),
    undefined,
  );
}
