import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { MapConfig } from '#web/shared/copies/map-config.ts';
import { type TileAddress, TileError, type TileOutcome } from '#web/shared/local-db/map-tiles.ts';
import { loadSavedCity, removeCity, saveCityRecord } from '#web/shared/local-db/saved-cities.ts';
import type { SavedCity } from '#web/shared/local-db/schema.ts';
import { saveSportCenters, unpinSportCenters } from '#web/shared/local-db/sport-centers.ts';
import { countCityTileBytes } from '#web/shared/local-db/tiles-store.ts';
import type { SavableArea } from './savable-area.ts';
import { type PlannedTile, planTiles, tileUrl } from './tile-plan.ts';

/** Parallel tile requests: few, so that the map the user is looking at does not have to wait. */
const MAX_PARALLEL_REQUESTS = 4;
/** Waits before the retries when the server is busy; after the last one the tile is left out. */
const TILE_RETRY_MS = [1_000, 2_000];
/** Average size of a center on the disk. */
export const CENTER_BYTES = 1_200;

export interface CenterPage {
  items: SportCenter[];
  next_cursor: string | null;
  total: number;
  total_is_lower_bound: boolean;
}

export interface SaveCityDeps {
  searchPage: (area: SavableArea, cursor: string | null, signal: AbortSignal) => Promise<CenterPage>;
  mapConfig: () => Promise<MapConfig | null>;
  saveTile: (city_id: string, address: TileAddress, signal: AbortSignal) => Promise<TileOutcome>;
  /** Bytes that the tiles of this city may use. */
  tileBudget: (city_id: string) => Promise<number>;
  /** The server's origin, empty for our own. */
  base: string;
  now: () => number;
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface SaveProgress {
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress: (share: number) => void;
}

export type SaveOutcome = 'saved' | 'cancelled' | 'no_room';

/**
 * Saves or refreshes an area's centers and map. When cancelled by the signal, removes an area that was not saved
 * before, and keeps the older copy of one that was. Rejects if a request fails: the entry stays `saving`, and the next
 * call resumes without fetching fresh data again.
 */
export async function saveCity(area: SavableArea, deps: SaveCityDeps, progress: SaveProgress): Promise<SaveOutcome> {
  const existing = await loadSavedCity(area.id);
  const started_at = deps.now();
  const entry = existing ?? toNewEntry(area);
  const rollBack = async (outcome: SaveOutcome) => {
    if (entry.saved_at === null) await removeCity(area.id, { centers: false });
    return outcome;
  };
  if (!(existing || (await saveCityRecord(entry)))) return rollBack('no_room');
  try {
    const centers = await saveCenters(area, deps, progress);
    if (!centers) return rollBack('no_room');
    const is_trimmed = await saveTiles(area, deps, progress);
    progress.signal.throwIfAborted();
    await unpinSportCenters(area.id, { remove: true, stored_before: started_at });
    const bytes = (await countCityTileBytes(area.id)) + centers.center_count * CENTER_BYTES;
    const name = area.name ?? centers.main_town;
    const facts = { name, is_trimmed, center_count: centers.center_count, bytes, saved_at: deps.now() };
    progress.signal.throwIfAborted();
    const saved: SavedCity = { ...entry, ...facts, state: 'saved' };
    return (await saveCityRecord(saved)) ? 'saved' : rollBack('no_room');
  } catch (error) {
    if (progress.signal.aborted) return rollBack('cancelled');
    throw error;
  }
}

/** An entry without any data yet. */
function toNewEntry({ id, name, name_es, country, latitude, longitude, radius_km }: SavableArea): SavedCity {
  const nothing = { state: 'saving', is_trimmed: false, center_count: 0, bytes: 0, saved_at: null } as const;
  return { id, name, name_es, country, latitude, longitude, radius_km, ...nothing };
}

/**
 * Saves and pins all centers: returns their number and the town that most of them name; null if there was no room for
 * some. The first half of the progress.
 */
async function saveCenters(area: SavableArea, deps: SaveCityDeps, { signal, onProgress }: SaveProgress) {
  let center_count = 0;
  const towns = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const page: CenterPage = await deps.searchPage(area, cursor, signal);
    signal.throwIfAborted();
    if (!(await saveSportCenters(page.items, area.id))) return null;
    center_count += page.items.length;
    for (const { city } of page.items) if (city) towns.set(city, (towns.get(city) ?? 0) + 1);
    cursor = page.next_cursor;
    // Where the server stops counting, the bar slows down but never stops.
    const expected = page.total_is_lower_bound ? center_count + page.total : page.total;
    onProgress(0.5 * Math.min(1, center_count / Math.max(1, expected)));
  } while (cursor !== null);
  const [main_town] = [...towns].sort(([, a], [, b]) => b - a)[0] ?? [null];
  return { center_count, main_town };
}

/** Returns whether tiles are missing. The second half of the progress. */
async function saveTiles(area: SavableArea, deps: SaveCityDeps, { signal, onProgress }: SaveProgress) {
  const { tiles, is_trimmed } = planTiles(area, await deps.mapConfig(), await deps.tileBudget(area.id));
  let [next, done, is_full, has_gaps, has_failed] = [0, 0, false, false, false];
  const runWorker = async () => {
    for (let tile = tiles[next++]; tile && !is_full && !has_failed; tile = tiles[next++]) {
      signal.throwIfAborted();
      const outcome = await saveTile(area.id, tile, deps, signal);
      is_full ||= outcome === 'no_room';
      has_gaps ||= outcome === 'refused';
      onProgress(0.5 + (0.5 * ++done) / tiles.length);
    }
  };
  const markFailed = (error: unknown) => {
    has_failed = true;
    throw error;
  };
  // Wait for all workers: one that still wrote later would leave tiles behind after a rollback.
  const results = await Promise.allSettled(
    Array.from({ length: MAX_PARALLEL_REQUESTS }, () => runWorker().catch(markFailed)),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  return is_trimmed || is_full || has_gaps;
}

async function saveTile(
  city_id: string,
  tile: PlannedTile,
  deps: SaveCityDeps,
  signal: AbortSignal,
): Promise<TileOutcome | 'refused'> {
  const { zoom, x, y } = tile;
  const address = { url: tileUrl(deps.base, tile), zoom, x, y };
  for (let attempt = 0; ; attempt++) {
    try {
      return await deps.saveTile(city_id, address, signal);
    } catch (error) {
      if (!(error instanceof TileError)) throw error;
      const pause_ms = TILE_RETRY_MS[attempt];
      // The map draws the tile of the next lower zoom instead, enlarged.
      if (pause_ms === undefined) return 'refused';
      await deps.wait(pause_ms, signal);
    }
  }
}
