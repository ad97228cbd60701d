import { useSyncExternalStore } from 'react';
import { session } from '#web/shared/api/client.ts';
import { loadMetadata } from '#web/shared/copies/metadata.ts';
import { orElse } from '#web/shared/local-db/database.ts';
import { listSavedCities } from '#web/shared/local-db/saved-cities.ts';
import type { SavedCity } from '#web/shared/local-db/schema.ts';
import { countSportCenters, loadSportCenter } from '#web/shared/local-db/sport-centers.ts';
import { tileBytes } from '#web/shared/local-db/tiles-store.ts';
import { isArea } from './place.ts';
import { LAST_PRELOAD_KEY, RECOMMENDED_KEY } from './preload.ts';

/** What is on this device for times without network. */
export interface OfflineState {
  /** By name; null until it was looked up for the first time. */
  cities: SavedCity[] | null;
  center_count: number;
  /** ms epoch of the oldest center; null where there is none. */
  oldest_at: number | null;
  tile_bytes: number;
  /** ms epoch of the last getting ready; null where there was none. */
  last_preload_at: number | null;
  /** What most people around train at, the most visited first, as far as it is on this device. */
  recommended: readonly { id: string; name: string }[];
  /** How far each city that is being saved in this tab has come, 0 to 1, by its id. */
  running: Readonly<Record<string, number>>;
  /** Why saving a city ended without it, by its id. */
  failed: Readonly<Record<string, 'no_room' | 'unreachable'>>;
}

let state: OfflineState = {
  cities: null,
  center_count: 0,
  oldest_at: null,
  tile_bytes: 0,
  last_preload_at: null,
  recommended: [],
  running: {},
  failed: {},
};
const listeners = new Set<() => void>();

// What says where somebody was goes with them, from here as from the disk.
session.onSignedOut(() => {
  const cities = state.cities?.filter((city) => !isArea(city)) ?? null;
  changeOfflineState({ cities, recommended: [], last_preload_at: null });
});

export function getOfflineState(): OfflineState {
  return state;
}

export function changeOfflineState(change: Partial<OfflineState>): void {
  state = { ...state, ...change };
  for (const listener of listeners) listener();
}

export function useOfflineState(): OfflineState {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, getOfflineState);
}

/** Looks again what is saved; other tabs may have changed it. */
export async function recheckOffline(): Promise<void> {
  const [cities, centers, tile_bytes, last, recommended] = await Promise.all([
    listSavedCities(),
    countSportCenters(),
    orElse(tileBytes(), 0),
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
