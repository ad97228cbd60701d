import { isQuotaError } from '#web/shared/local-db/no-room.ts';
import type { OutboxDatabase } from './database.ts';
import { OutboxError } from './errors.ts';

/** Delays before each retry. For a moment a full disk refuses a write even right after a deletion. */
const RETRY_DELAYS_MS = [20, 50, 100, 200, 500, 1000];
const BALLAST_BYTES = 1024 * 1024;
const BALLAST = 'ballast';

export interface EvictionDeps {
  open: () => Promise<OutboxDatabase>;
  freeSpace: () => Promise<void>;
}

/**
 * Runs a write; if the disk is full, deletes the ballast, then expendable data, and retries for about 2 s. Throws
 * OutboxError `storage_full` if even that does not help, `storage_failed` for all other errors.
 */
export async function writeWithEviction<Value>(
  { open, freeSpace }: EvictionDeps,
  write: (database: OutboxDatabase) => Promise<Value>,
): Promise<Value> {
  for (let retries = 0; ; retries += 1) {
    try {
      return await write(await open());
    } catch (error) {
      const wait_ms = RETRY_DELAYS_MS[retries];
      if (!isQuotaError(error)) throw new OutboxError('storage_failed', error);
      if (wait_ms === undefined) throw new OutboxError('storage_full', error);
      // Each time, although it is gone after the first: Chromium recomputes the free space after a commit.
      await deleteBallast(open).catch(() => {});
      if (retries % 2 === 1) await freeSpace().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, wait_ms));
    }
  }
}

async function deleteBallast(open: EvictionDeps['open']): Promise<void> {
  await (await open()).delete(BALLAST, BALLAST);
}

/**
 * Writes the ballast: a Blob, which Chromium stores as a separate file whose space is free at once when it is deleted,
 * unlike other records. Its bytes are random, because a disk may compress. A failure only costs the reserve.
 */
export async function ensureBallast(open: EvictionDeps['open']): Promise<void> {
  const database = await open();
  if ((await database.get(BALLAST, BALLAST)) instanceof Blob) return;
  const bytes = new Uint8Array(BALLAST_BYTES);
  for (let at = 0; at < BALLAST_BYTES; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  await database.put(BALLAST, new Blob([bytes]), BALLAST);
}
