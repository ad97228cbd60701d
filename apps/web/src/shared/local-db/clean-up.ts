import { withFallback } from './database.ts';
import { trimSportCenters } from './sport-centers.ts';
import { trimTiles } from './tiles-store.ts';
import { write } from './write.ts';

/** Copies older than this are removed; until then an old copy is better than none where there is no signal. */
const MAX_AGE_MS = 30 * 86_400_000;

/** A clock that is further from the server's may have been set since the copies were saved. */
const MAX_CLOCK_ERROR_MS = 86_400_000;

/**
 * Removes copies older than 30 days and tiles over their budget, except those of saved cities, and positions after a
 * day. Never throws. `offset_ms`: server time minus this device's, null if not measured: then, and if the clock is
 * wrong, only positions are removed for their age. The profile stays until the sign-out: it identifies the user offline.
 */
export async function cleanUp(now: number, offset_ms: number | null = 0): Promise<void> {
  const is_clock_right = offset_ms !== null && Math.abs(offset_ms) <= MAX_CLOCK_ERROR_MS;
  const stored_before = is_clock_right ? now - MAX_AGE_MS : 0;
  await withFallback(trimTiles(stored_before), undefined);
  await withFallback(trimSportCenters(stored_before), undefined);
  await withFallback(removeOldPrivateCopies(now, stored_before), undefined);
  await withFallback(removeOldAnswers(stored_before), undefined);
}

/** Copies of answers (`createCopies`), e.g. one for each board that the athlete has looked at. */
async function removeOldAnswers(stored_before: number): Promise<void> {
  await write(['metadata'], async (transaction) => {
    let cursor = await transaction.objectStore('metadata').openCursor();
    for (; cursor; cursor = await cursor.continue())
      if (cachedAt(cursor.value.value) < stored_before) await cursor.delete();
  });
}

/** Returns when an answer was read, ms epoch; never, for any other value. */
function cachedAt(value: unknown): number {
  const is_copy = typeof value === 'object' && value !== null && 'cached_at' in value;
  return is_copy && typeof value.cached_at === 'number' ? value.cached_at : Number.POSITIVE_INFINITY;
}

async function removeOldPrivateCopies(now: number, oldest_kept: number): Promise<void> {
  await write(['user_location', 'bio_info', 'activities'], async (transaction) => {
    const locations = transaction.objectStore('user_location');
    for (const copy of await locations.getAll()) if (copy.expires_at <= now) await locations.delete(copy.user_id);
    const bodies = transaction.objectStore('bio_info');
    for (const copy of await bodies.getAll()) if (copy.cached_at < oldest_kept) await bodies.delete(copy.user_id);
    let cursor = await transaction.objectStore('activities').openCursor();
    for (; cursor; cursor = await cursor.continue()) if (cursor.value.cached_at < oldest_kept) await cursor.delete();
  });
  await write(['messages', 'threads'], async (transaction) => {
    const keyOf = ({ user_id, chat_id }: { user_id: string; chat_id: string }) => `${user_id} ${chat_id}`;
    const threads = transaction.objectStore('threads');
    const records = await threads.getAll();
    const recent = new Set(records.filter(({ updated_at }) => updated_at >= oldest_kept).map(keyOf));
    for (const record of records)
      if (!recent.has(keyOf(record))) await threads.delete([record.user_id, record.chat_id]);
    // A message that has not changed since is not written again.
    const old = IDBKeyRange.upperBound(oldest_kept, true);
    let cursor = await transaction.objectStore('messages').index('cached_at').openCursor(old);
    for (; cursor; cursor = await cursor.continue())
      if (!recent.has(keyOf({ ...cursor.value, chat_id: cursor.value.value.chat_id }))) await cursor.delete();
  });
}
