import { openCache, withFallback } from './database.ts';
import type { SavedCity } from './schema.ts';
import { unpinSportCenters } from './sport-centers.ts';
import { unpinTiles } from './tiles-store.ts';
import { tryWrite } from './try-write.ts';

/** Returns the cities on this device, including incomplete ones. */
export async function listSavedCities(): Promise<SavedCity[]> {
  return withFallback(
    openCache().then((database) => database.getAll('saved_cities')),
    [],
  );
}

export async function loadSavedCity(id: string): Promise<SavedCity | null> {
  return withFallback(
    openCache().then(async (database) => (await database.get('saved_cities', id)) ?? null),
    null,
  );
}

/** Returns whether it is on disk. */
export function saveCityRecord(city: SavedCity): Promise<boolean> {
  return tryWrite(['saved_cities'], (transaction) => transaction.objectStore('saved_cities').put(city));
}

/**
 * Removes a city: its entry, its pins on tiles and, with `centers`, on centers. Data that another saved city needs
 * stays. The entry goes last, so that an interrupted removal is visible and can be repeated. The entry is removed in
 * any case, although a full disk may refuse to change shared data.
 */
export async function removeCity(id: string, { centers }: { centers: boolean }): Promise<void> {
  await withFallback(unpinTiles(id), undefined);
  await withFallback(unpinSportCenters(id, { remove: centers }), undefined);
  await tryWrite(['saved_cities'], (transaction) => transaction.objectStore('saved_cities').delete(id));
}
