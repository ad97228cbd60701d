import { openCache, orElse } from './database.ts';
import { keep } from './keep.ts';
import type { SavedCity } from './schema.ts';
import { releaseSportCenters } from './sport-centers.ts';
import { releaseTiles } from './tiles-store.ts';

/** Returns the cities on this device, including incomplete ones. */
export async function listSavedCities(): Promise<SavedCity[]> {
  return orElse(
    openCache().then((database) => database.getAll('saved_cities')),
    [],
  );
}

export async function loadSavedCity(id: string): Promise<SavedCity | null> {
  return orElse(
    openCache().then(async (database) => (await database.get('saved_cities', id)) ?? null),
    null,
  );
}

/** Returns whether it is on disk. */
export function saveCityRecord(city: SavedCity): Promise<boolean> {
  return keep(['saved_cities'], (transaction) => transaction.objectStore('saved_cities').put(city));
}

/**
 * Removes a city: its entry, its pins on tiles and, with `centers`, on centers. Data that another saved city needs
 * stays. The entry goes last, so that an interrupted removal is visible and can be repeated. The entry is removed in
 * any case, although a full disk may refuse to change shared data.
 */
export async function removeCity(id: string, { centers }: { centers: boolean }): Promise<void> {
  await orElse(releaseTiles(id), undefined);
  await orElse(releaseSportCenters(id, { remove: centers }), undefined);
  await keep(['saved_cities'], (transaction) => transaction.objectStore('saved_cities').delete(id));
}
