import type { OutboxDatabase } from './database.ts';
import { isQuotaError, OutboxError } from './errors.ts';

/** A full disk refuses a write even right after something was deleted; the room comes back a moment later. */
const RETRY_AFTER_MS = 50;
const BALLAST_BYTES = 256 * 1024;
const BALLAST = 'ballast';

export interface Room {
  open: () => Promise<OutboxDatabase>;
  freeSpace: () => Promise<void>;
}

/**
 * Runs a write; when the disk is full gives up the ballast, then what may be lost, and tries again each time.
 * Throws OutboxError `storage_full` when even that does not help, `storage_failed` for everything else.
 */
export async function makeRoom<Value>(
  { open, freeSpace }: Room,
  write: (database: OutboxDatabase) => Promise<Value>,
): Promise<Value> {
  const ways = [async () => (await open()).delete(BALLAST, BALLAST), freeSpace];
  for (let tried = 0; ; tried += 1) {
    try {
      return await write(await open());
    } catch (error) {
      const free = ways[tried];
      if (!isQuotaError(error)) throw new OutboxError('storage_failed', error);
      if (!free) throw new OutboxError('storage_full', error);
      await free().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
    }
  }
}

/** Puts the ballast in place. Its bytes are random, for a database may compress. Failing costs only the reserve. */
export async function keepBallast(open: Room['open']): Promise<void> {
  const database = await open();
  if ((await database.getKey(BALLAST, BALLAST)) !== undefined) return;
  const bytes = new Uint8Array(BALLAST_BYTES);
  for (let at = 0; at < BALLAST_BYTES; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  await database.put(BALLAST, bytes, BALLAST);
}
