import { withFreeLock } from '#web/shared/lib/web-lock.ts';
import { openCache } from '#web/shared/local-db/database.ts';
import { loadSavedCity, removeCity } from '#web/shared/local-db/saved-cities.ts';

/** The lock held while a city's saved data is changed. */
export function cityLockName(id: string): string {
  return `sendlap-city-${id}`;
}

/**
 * Releases the tiles and centers of cities that are no longer saved: a sign-out only has time to delete the entries.
 * Their centers stay as ordinary cached copies. Throws database errors.
 */
export async function releaseDeletedCities(): Promise<void> {
  for (const id of await listPinningCities()) {
    await withFreeLock(cityLockName(id), async () => {
      if (!(await loadSavedCity(id))) await removeCity(id, { centers: false });
    });
  }
}

/** Ids of all cities that pin a copy, read from the index keys only. */
async function listPinningCities(): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const name of ['map_tiles', 'sport_centers'] as const) {
    const { store } = (await openCache()).transaction(name);
    let cursor = await store.index('pinned').openKeyCursor(null, 'nextunique');
    for (; cursor; cursor = await cursor.continue()) ids.add(cursor.key);
  }
  return ids;
}
