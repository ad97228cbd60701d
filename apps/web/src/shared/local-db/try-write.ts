import { isQuotaError } from './no-room.ts';
import type { CacheTransaction, StoreName } from './schema.ts';
import { storageState } from './storage-state.ts';
import { deleteAllTiles, deleteUnpinnedTiles } from './tiles-store.ts';
import { write } from './write.ts';

/** A full disk refuses a write even right after a deletion; the space becomes free a moment later. */
const RETRY_AFTER_MS = 50;
/** Minimum that justifies a retry of the outbox: an op is about 1 KB, a database page somewhat more. */
const MIN_FREED_BYTES = 64 * 1024;

/**
 * Writes copies, which may be lost. Returns whether it succeeded. On a full disk it first removes tiles that no saved
 * city needs; if that does not help, the user is told, once, and the app continues. Never throws.
 */
export async function tryWrite<Names extends StoreName[]>(
  stores: Names,
  work: (transaction: CacheTransaction<Names>) => Promise<unknown>,
): Promise<boolean> {
  return retryAfterEviction(async () => {
    await write(stores, work);
    return true;
  }, false);
}

/** Like `tryWrite`, for a write of several transactions. Returns `fallback` if it fails. */
export async function retryAfterEviction<Value, Lost>(
  attempt: () => Promise<Value>,
  fallback: Lost,
): Promise<Value | Lost> {
  try {
    return await attempt().catch(async (error: unknown) => {
      if (!isQuotaError(error)) throw error;
      await deleteUnpinnedTiles();
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
      return attempt();
    });
  } catch (error) {
    console.warn('cache', error);
    if (isQuotaError(error)) storageState.reportFull();
    return fallback;
  }
}

/**
 * Deletes copies so that the outbox can save an op: tiles that no saved city needs, or all tiles if those are hardly
 * any. Never throws.
 */
export async function freeSpace(): Promise<void> {
  try {
    if ((await deleteUnpinnedTiles()) < MIN_FREED_BYTES) await deleteAllTiles();
  } catch (error) {
    console.warn('cache', error);
  }
}
