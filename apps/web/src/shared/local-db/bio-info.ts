import type { BioInfo } from '@sendlap/contract/bio-info.ts';
import { openCache, toCached, withFallback } from './database.ts';
import type { Cached } from './schema.ts';
import { tryWrite } from './try-write.ts';

/**
 * Returns the copy of this user's body data, however old: without network there is no other. Returns null if this device has no copy.
 */
export async function loadBioInfo(user_id: string): Promise<Cached<BioInfo> | null> {
  return withFallback(
    openCache().then(async (database) => (await database.get('bio_info', user_id)) ?? null),
    null,
  );
}

/** Copies the server's answer about the signed-in user's body; not if the user has signed out since. */
export async function saveBioInfo(bio_info: BioInfo, isSignedIn = () => true): Promise<void> {
  const { user_id } = bio_info;
  await tryWrite(['bio_info'], async (transaction) => {
    if (!isSignedIn()) return;
    const store = transaction.objectStore('bio_info');
    await store.clear();
    await store.put({ ...toCached(bio_info, Date.now()), user_id }, user_id);
  });
}

/** Called when the server has no body data (or no longer has it). */
export async function removeBioInfo(user_id: string): Promise<void> {
  await tryWrite(['bio_info'], (transaction) => transaction.objectStore('bio_info').delete(user_id));
}
