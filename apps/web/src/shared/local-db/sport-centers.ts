import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { type Cached, openCache, orElse, stamp } from './database.ts';

/** Keeps public copies of centers for times without network. */
export async function saveSportCenters(centers: SportCenter[]): Promise<void> {
  await orElse(
    openCache().then(async (database) => {
      const transaction = database.transaction('sport_centers', 'readwrite');
      for (const center of centers) {
        const copy = { ...stamp(center, Date.now()), city_folded: foldText(center.city ?? '') };
        await transaction.store.put(copy, center.id);
      }
      await transaction.done;
    }),
    undefined,
  );
}

/** Every center on this device, with when it was fetched. */
export async function loadSportCenters(): Promise<Cached<SportCenter>[]> {
  return orElse(
    openCache().then((database) => database.getAll('sport_centers')),
    [],
  );
}

export async function loadSportCenter(id: string): Promise<Cached<SportCenter> | null> {
  return orElse(
    openCache().then(async (database) => (await database.get('sport_centers', id)) ?? null),
    null,
  );
}

/** Whether there is anything to browse without network. */
export async function hasSportCenters(): Promise<boolean> {
  return orElse(
    openCache().then(async (database) => (await database.count('sport_centers')) > 0),
    false,
  );
}
