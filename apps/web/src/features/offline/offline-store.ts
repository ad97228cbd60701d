import { useSyncExternalStore } from 'react';
import { session } from '#web/shared/api/client.ts';
import { loadMetadata } from '#web/shared/copies/metadata.ts';
import { createStore } from '#web/shared/lib/store.ts';
import { withFallback } from '#web/shared/local-db/database.ts';
import { listSavedCities } from '#web/shared/local-db/saved-cities.ts';
import type { SavedCity } from '#web/shared/local-db/schema.ts';
import { countSportCenters, loadSportCenter } from '#web/shared/local-db/sport-centers.ts';
import { totalTileBytes } from '#web/shared/local-db/tiles-store.ts';
import { LAST_PRELOAD_KEY, RECOMMENDED_KEY } from './preload.ts';
import { isMapArea } from './savable-area.ts';

/** The data that this device has for offline use. */
export interface OfflineState {
  /** By name; null until loaded for the first time. */
  cities: SavedCity[] | null;
  center_count: number;
  /** When the oldest center was fetched (ms epoch); null without centers. */
  oldest_at: number | null;
  tile_bytes: number;
  /** When the last preload ended (ms epoch); null: never. */
  last_preload_at: number | null;
  /** The nearby centers, those at which most athletes train first, as far as they are saved on this device. */
  recommended: readonly { id: string; name: string }[];
  /** Progress of the cities that this tab is saving, 0 to 1, by city id. */
  running: Readonly<Record<string, number>>;
  /** Why saving a city failed, by city id. */
  failed: Readonly<Record<string, 'no_room' | 'unreachable'>>;
}

const store = createStore<OfflineState>({
  cities: null,
  center_count: 0,
  oldest_at: null,
  tile_bytes: 0,
  last_preload_at: null,
  recommended: [],
  running: {},
  failed: {},
});

// At sign-out, data that reveals where the user was is dropped from memory, as it is from the disk.
session.onSignedOut(() => {
  const cities = store.getState().cities?.filter((city) => !isMapArea(city)) ?? null;
  changeOfflineState({ cities, recommended: [], last_preload_at: null });
});

export const getOfflineState = store.getState;

export const changeOfflineState = store.update;

export function useOfflineState(): OfflineState {
  return useSyncExternalStore(store.subscribe, store.getState);
}

/** Reads again which data is saved: other tabs may have changed it. */
export async function reloadOfflineState(): Promise<void> {
  const [cities, centers, tile_bytes, last, recommended] = await Promise.all([
    listSavedCities(),
    countSportCenters(),
    withFallback(totalTileBytes(), 0),
    loadMetadata(LAST_PRELOAD_KEY),
    loadRecommended(),
  ]);
  cities.sort((a, b) => (a.name ?? '').localeCompare(b.name ?? '') || (a.id < b.id ? -1 : 1));
  const at = (last as { at?: unknown } | undefined)?.at;
  changeOfflineState({
    cities,
    center_count: centers.count,
    oldest_at: centers.oldest_at,
    tile_bytes,
    recommended,
    last_preload_at: typeof at === 'number' ? at : null,
  });
}

async function loadRecommended(): Promise<{ id: string; name: string }[]> {
  const ids = await loadMetadata(RECOMMENDED_KEY);
  const copies = await Promise.all(Array.isArray(ids) ? ids.map((id) => loadSportCenter(String(id))) : []);
  return copies.flatMap((copy) => (copy ? [{ id: copy.value.id, name: copy.value.name }] : []));
}
