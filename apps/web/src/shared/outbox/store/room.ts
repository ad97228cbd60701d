import { isQuotaError } from '#web/shared/local-db/no-room.ts';
import type { OutboxDatabase } from './database.ts';
import { OutboxError } from './errors.ts';

/** Before each further try. A full disk refuses a write even right after something was deleted, for a moment. */
const WAITS_MS = [20, 50, 100, 200, 500, 1000];
const BALLAST_BYTES = 1024 * 1024;
const BALLAST = 'ballast';

export interface Room {
  open: () => Promise<OutboxDatabase>;
  freeSpace: () => Promise<void>;
}

/**
 * Runs a write; when the disk is full gives up the ballast, then what may be lost, and tries again for about 2 s.
 * Throws OutboxError `storage_full` when even that does not help, `storage_failed` for everything else.
 */
export async function makeRoom<Value>(
  { open, freeSpace }: Room,
  write: (database: OutboxDatabase) => Promise<Value>,
): Promise<Value> {
  for (let tried = 0; ; tried += 1) {
    try {
      return await write(await open());
    } catch (error) {
      const wait_ms = WAITS_MS[tried];
      if (!isQuotaError(error)) throw new OutboxError('storage_failed', error);
      if (wait_ms === undefined) throw new OutboxError('storage_full', error);
      // Each time, although it is gone after the first: Chromium counts the room anew when something was committed.
      await dropBallast(open).catch(() => {});
      if (tried % 2 === 1) await freeSpace().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, wait_ms));
    }
  }
}

async function dropBallast(open: Room['open']): Promise<void> {
  await (await open()).delete(BALLAST, BALLAST);
}

/**
 * Puts the ballast in place: a Blob, which Chromium keeps as a file of its own that is gone at once when it is deleted,
 * unlike other records. Its bytes are random, for a disk may compress. Failing costs only the reserve.
 */
export async function keepBallast(open: Room['open']): Promise<void> {
  const database = await open();
  if ((await database.get(BALLAST, BALLAST)) instanceof Blob) return;
  const bytes = new Uint8Array(BALLAST_BYTES);
  for (let at = 0; at < BALLAST_BYTES; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  await database.put(BALLAST, new Blob([bytes]), BALLAST);
}
