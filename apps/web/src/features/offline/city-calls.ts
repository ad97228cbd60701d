import { searchSportCenters } from '@sendlap/contract/sport-centers.ts';
import { call } from '#web/shared/api/client.ts';
import { loadMapConfig } from '#web/shared/copies/map-config.ts';
import { saveTileForCity } from '#web/shared/local-db/map-tiles.ts';
import { cityTileBudget } from '#web/shared/local-db/tiles-store.ts';
import type { SavableArea } from './savable-area.ts';
import type { SaveCityDeps } from './save-city.ts';

const PAGE_SIZE = 100;

export const TILE_BASE = import.meta.env.VITE_API_BASE ?? '';

/** Loads a page of an area's centers, nearest to its middle first. */
export async function searchPage(area: SavableArea, cursor: string | null, signal: AbortSignal, limit = PAGE_SIZE) {
  const query = {
    latitude: String(area.latitude),
    longitude: String(area.longitude),
    radius_km: String(area.radius_km),
    sort: 'distance' as const,
    limit: String(limit),
    ...(cursor ? { cursor } : {}),
  };
  return call(searchSportCenters, { query }, { signal });
}

/** The server and device functions that saving a city needs. */
export const CITY_DEPS: SaveCityDeps = {
  searchPage,
  mapConfig: loadMapConfig,
  saveTile: saveTileForCity,
  tileBudget: cityTileBudget,
  base: TILE_BASE,
  now: () => Date.now(),
  wait,
};

/** Resolves after `ms`; rejects with the signal's reason if it is aborted before. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
