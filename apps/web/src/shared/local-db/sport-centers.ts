import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { notifyCentersChanged } from './center-changes.ts';
import { openCache, toCached, withFallback } from './database.ts';
import type { Cached, CenterCopy } from './schema.ts';
import { tryWrite } from './try-write.ts';
import { write } from './write.ts';

/** Copies public centers for use without network; `city_id` pins them. Returns whether they are on disk. */
export async function saveSportCenters(centers: SportCenter[], city_id?: string): Promise<boolean> {
  const is_saved = await tryWrite(['sport_centers'], async (transaction) => {
    const store = transaction.objectStore('sport_centers');
    const before = await Promise.all(centers.map(({ id }) => store.get(id)));
    const puts = centers.map((center, at) => {
      const pinned = new Set(before[at]?.pinned);
      if (city_id !== undefined) pinned.add(city_id);
      const city_folded = foldText(center.city ?? '');
      return store.put(
        { ...toCached(withoutDistance(center), Date.now()), city_folded, pinned: [...pinned] },
        center.id,
      );
    });
    await Promise.all(puts);
  });
  if (is_saved) notifyCentersChanged();
  return is_saved;
}

/** Lists contain the distance from the position that was searched: it only applies to that search. */
function withoutDistance(center: SportCenter & { distance_km?: unknown; activity_count?: unknown }): SportCenter {
  const { distance_km: _, activity_count: __, ...rest } = center;
  return rest;
}

/**
 * Unpins the centers of a city. They stay as ordinary copies, unless `remove` is set: then those that no other city
 * needs are deleted. `stored_before` (ms epoch): only those older than the city's last copy, which the source no longer
 * has.
 */
export async function unpinSportCenters(
  city_id: string,
  { remove, stored_before = Number.POSITIVE_INFINITY }: { remove: boolean; stored_before?: number },
): Promise<void> {
  // Deletions first, in a separate transaction: a full disk refuses the second one, which writes.
  if (remove) {
    await write(['sport_centers'], async (transaction) => {
      let cursor = await transaction.objectStore('sport_centers').index('pinned').openCursor(city_id);
      for (; cursor; cursor = await cursor.continue()) {
        if (cursor.value.cached_at < stored_before && cursor.value.pinned.length === 1) await cursor.delete();
      }
    });
    notifyCentersChanged();
  }
  await write(['sport_centers'], async (transaction) => {
    let cursor = await transaction.objectStore('sport_centers').index('pinned').openCursor(city_id);
    for (; cursor; cursor = await cursor.continue()) {
      const copy = cursor.value;
      if (copy.cached_at >= stored_before) continue;
      await cursor.update({ ...copy, pinned: copy.pinned.filter((id) => id !== city_id) });
    }
  });
  notifyCentersChanged();
}

/** Removes copies from before `stored_before` (ms epoch) that no saved city needs. */
export async function trimSportCenters(stored_before: number): Promise<void> {
  await write(['sport_centers'], async (transaction) => {
    const old = IDBKeyRange.upperBound(stored_before, true);
    let cursor = await transaction.objectStore('sport_centers').index('cached_at').openCursor(old);
    for (; cursor; cursor = await cursor.continue()) if (cursor.value.pinned.length === 0) await cursor.delete();
  });
  notifyCentersChanged();
}

/** Returns every center on this device with the time of its fetch. */
export async function loadSportCenters(): Promise<CenterCopy[]> {
  return withFallback(
    openCache().then((database) => database.getAll('sport_centers')),
    [],
  );
}

export async function loadSportCenter(id: string): Promise<Cached<SportCenter> | null> {
  return withFallback(
    openCache().then(async (database) => (await database.get('sport_centers', id)) ?? null),
    null,
  );
}

/** Returns the number of centers to browse without network, and when the oldest was fetched (ms epoch). */
export async function countSportCenters(): Promise<{ count: number; oldest_at: number | null }> {
  return withFallback(
    openCache().then(async (database) => {
      const store = database.transaction('sport_centers').store;
      const [count, oldest] = await Promise.all([store.count(), store.index('cached_at').openKeyCursor()]);
      return { count, oldest_at: oldest?.key ?? null };
    }),
    { count: 0, oldest_at: null },
  );
}

/** Returns whether there are centers to browse without network. */
export async function hasSportCenters(): Promise<boolean> {
  return (await countSportCenters()).count > 0;
}
