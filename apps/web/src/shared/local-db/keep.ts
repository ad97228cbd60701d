import { isQuotaError } from './no-room.ts';
import type { CacheTransaction, StoreName } from './schema.ts';
import { storageState } from './storage-state.ts';
import { dropAllTiles, dropLooseTiles } from './tiles-store.ts';
import { write } from './write.ts';

/** A full disk refuses a write even right after something was deleted; the room comes back a moment later. */
const RETRY_AFTER_MS = 50;
/** The least that is worth a try of the outbox: a step is about 1 KB, a database's page some more. */
const WORTHWHILE_BYTES = 64 * 1024;

/**
 * A write of copies, which may be lost: whether it succeeded. A full disk is given the loose tiles first; when even
 * that does not help the user is told, once, and the app goes on. Never throws.
 */
export async function keep<Names extends StoreName[]>(
  stores: Names,
  work: (transaction: CacheTransaction<Names>) => Promise<unknown>,
): Promise<boolean> {
  return makingRoom(async () => {
    await write(stores, work);
    return true;
  }, false);
}

/** See `keep`, for a write that is more than one transaction. `lost` is what it gives when it fails. */
export async function makingRoom<Value, Lost>(attempt: () => Promise<Value>, lost: Lost): Promise<Value | Lost> {
  try {
    return await attempt().catch(async (error: unknown) => {
      if (!isQuotaError(error)) throw error;
      await dropLooseTiles();
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
      return attempt();
    });
  } catch (error) {
    console.warn('cache', error);
    if (isQuotaError(error)) storageState.noteFull();
    return lost;
  }
}

/**
 * Gives up copies so that the outbox can save a step: tiles that no saved city needs, and where those are hardly
 * anything, all of them. Never throws.
 */
export async function freeSpace(): Promise<void> {
  try {
    if ((await dropLooseTiles()) < WORTHWHILE_BYTES) await dropAllTiles();
  } catch (error) {
    console.warn('cache', error);
  }
}
