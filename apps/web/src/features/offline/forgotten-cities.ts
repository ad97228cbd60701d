import { openCache } from '#web/shared/local-db/database.ts';
import { loadSavedCity, removeCity } from '#web/shared/local-db/saved-cities.ts';
import { alone, cityLock } from './alone.ts';

/**
 * Lets go of what cities needed that are saved no more: a sign-out has no time for more than their entries. Their
 * centers stay as ordinary copies. Throws what the database throws.
 */
export async function releaseForgotten(): Promise<void> {
  for (const id of await pinningCities()) {
    await alone(cityLock(id), async () => {
      if (!(await loadSavedCity(id))) await removeCity(id, { centers: false });
    });
  }
}

/** Ids of all cities that need some copy, by the indexes' keys alone. */
async function pinningCities(): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const name of ['map_tiles', 'sport_centers'] as const) {
    const { store } = (await openCache()).transaction(name);
    let cursor = await store.index('pinned').openKeyCursor(null, 'nextunique');
    for (; cursor; cursor = await cursor.continue()) ids.add(cursor.key);
  }
  return ids;
}
