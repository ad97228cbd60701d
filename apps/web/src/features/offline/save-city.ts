import type { SportCenter } from '@sendlap/contract/sport-centers.ts';
import type { MapConfig } from '#web/shared/copies/map-config.ts';
import { type TileAddress, TileError, type TileOutcome } from '#web/shared/local-db/map-tiles.ts';
import { loadSavedCity, removeCity, saveCityRecord } from '#web/shared/local-db/saved-cities.ts';
import type { SavedCity } from '#web/shared/local-db/schema.ts';
import { releaseSportCenters, saveSportCenters } from '#web/shared/local-db/sport-centers.ts';
import { sizeOfCity } from '#web/shared/local-db/tiles-store.ts';
import type { SavablePlace } from './place.ts';
import { type PlannedTile, planTiles, tileUrl } from './tile-plan.ts';

/** Tiles fetched side by side: the map that somebody looks at meanwhile should not wait. */
const PARALLEL = 4;
/** A server that is busy is asked again after this long, and again after twice as long; then the tile is missing. */
const TILE_RETRY_MS = [1_000, 2_000];
/** Of a center on the disk. */
export const CENTER_BYTES = 1_200;

export interface CenterPage {
  items: SportCenter[];
  next_cursor: string | null;
  total: number;
  total_is_lower_bound: boolean;
}

export interface SaveCityDeps {
  searchPage: (place: SavablePlace, cursor: string | null, signal: AbortSignal) => Promise<CenterPage>;
  mapConfig: () => Promise<MapConfig | null>;
  saveTile: (city_id: string, address: TileAddress, signal: AbortSignal) => Promise<TileOutcome>;
  /** Bytes that tiles of this city may take. */
  room: (city_id: string) => Promise<number>;
  /** Origin of the server, empty for our own. */
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
 * Puts a place's centers and map on this device, or refreshes them. Cancelled by the signal it leaves nothing of a
 * place that was not saved before, and the older copy of one that was. Rejects when the server can't be asked: the
 * entry stays `saving` then and the same call goes on later, with what is fresh already not fetched again.
 */
export async function saveCity(place: SavablePlace, deps: SaveCityDeps, progress: SaveProgress): Promise<SaveOutcome> {
  const before = await loadSavedCity(place.id);
  const started_at = deps.now();
  const entry = before ?? asEntry(place);
  const leave = async (outcome: SaveOutcome) => {
    if (entry.saved_at === null) await removeCity(place.id, { centers: false });
    return outcome;
  };
  if (!(before || (await saveCityRecord(entry)))) return leave('no_room');
  try {
    const centers = await saveCenters(place, deps, progress);
    if (!centers) return leave('no_room');
    const is_trimmed = await saveTiles(place, deps, progress);
    progress.signal.throwIfAborted();
    await releaseSportCenters(place.id, { remove: true, stored_before: started_at });
    const bytes = (await sizeOfCity(place.id)) + centers.center_count * CENTER_BYTES;
    const name = place.name ?? centers.main_town;
    const facts = { name, is_trimmed, center_count: centers.center_count, bytes, saved_at: deps.now() };
    progress.signal.throwIfAborted();
    const saved: SavedCity = { ...entry, ...facts, state: 'saved' };
    return (await saveCityRecord(saved)) ? 'saved' : leave('no_room');
  } catch (error) {
    if (progress.signal.aborted) return leave('cancelled');
    throw error;
  }
}

/** Nothing of it is here yet. */
function asEntry({ id, name, name_es, country, latitude, longitude, radius_km }: SavablePlace): SavedCity {
  const nothing = { state: 'saving', is_trimmed: false, center_count: 0, bytes: 0, saved_at: null } as const;
  return { id, name, name_es, country, latitude, longitude, radius_km, ...nothing };
}

/**
 * How many centers there are, all of them pinned, and the town that most of them say they are in; null when there was
 * no room for some. The first half of the progress.
 */
async function saveCenters(place: SavablePlace, deps: SaveCityDeps, { signal, onProgress }: SaveProgress) {
  let center_count = 0;
  const towns = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const page: CenterPage = await deps.searchPage(place, cursor, signal);
    signal.throwIfAborted();
    if (!(await saveSportCenters(page.items, place.id))) return null;
    center_count += page.items.length;
    for (const { city } of page.items) if (city) towns.set(city, (towns.get(city) ?? 0) + 1);
    cursor = page.next_cursor;
    // Where the server stops counting, the bar slows down and never stands still.
    const expected = page.total_is_lower_bound ? center_count + page.total : page.total;
    onProgress(0.5 * Math.min(1, center_count / Math.max(1, expected)));
  } while (cursor !== null);
  const [main_town] = [...towns].sort(([, a], [, b]) => b - a)[0] ?? [null];
  return { center_count, main_town };
}

/** Whether some of its map is missing. The second half of the progress. */
async function saveTiles(place: SavablePlace, deps: SaveCityDeps, { signal, onProgress }: SaveProgress) {
  const { tiles, is_trimmed } = planTiles(place, await deps.mapConfig(), await deps.room(place.id));
  let [next, done, is_full, has_gaps, has_failed] = [0, 0, false, false, false];
  const work = async () => {
    for (let tile = tiles[next++]; tile && !is_full && !has_failed; tile = tiles[next++]) {
      signal.throwIfAborted();
      const outcome = await saveTile(place.id, tile, deps, signal);
      is_full ||= outcome === 'no_room';
      has_gaps ||= outcome === 'refused';
      onProgress(0.5 + (0.5 * ++done) / tiles.length);
    }
  };
  const fail = (error: unknown) => {
    has_failed = true;
    throw error;
  };
  // All of them are waited for: what one still wrote later would be there after everything was taken back.
  const ends = await Promise.allSettled(Array.from({ length: PARALLEL }, () => work().catch(fail)));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
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
      // The map draws the tile above it, larger.
      if (pause_ms === undefined) return 'refused';
      await deps.wait(pause_ms, signal);
    }
  }
}
