import { openCache } from './database.ts';
import type { MapTile } from './schema.ts';
import { chooseEvictions, lowerTileBudget, readTileBudget, type TileFact } from './tile-budget.ts';
import { write } from './write.ts';

/** Bytes of all tiles; null until they were summed in this page life. Other tabs may add tiles: see `trimTiles`. */
let total: number | null = null;
/** Tiles are written sequentially, so that two concurrent ones do not both take the last room. */
let last_put: Promise<unknown> = Promise.resolve();

type NewTile = Omit<MapTile, 'data' | 'bytes' | 'pinned' | 'pin_count'> & { data: ArrayBuffer };

export async function loadStoredTile(id: string): Promise<MapTile | undefined> {
  return (await openCache()).get('map_tiles', id);
}

/**
 * Stores a tile within the budget, evicting older unpinned ones. Returns false if it does not fit beside those of saved
 * cities. `city_id` pins it. Throws the database's errors.
 */
export function putTile(tile: NewTile, city_id?: string): Promise<boolean> {
  const put = last_put.then(() => putNow(tile, city_id));
  last_put = put.catch(() => {});
  return put;
}

async function putNow(tile: NewTile, city_id?: string): Promise<boolean> {
  const bytes = tile.data.byteLength;
  const before = await loadStoredTile(tile.id);
  const added_bytes = bytes - (before?.bytes ?? 0);
  if (!(await evictToFit(added_bytes))) return false;
  const pinned = withPin(before?.pinned ?? [], city_id);
  const data = new Blob([tile.data]);
  await write(['map_tiles'], (transaction) =>
    transaction.objectStore('map_tiles').put({ ...tile, data, bytes, pinned, pin_count: pinned.length }),
  );
  if (total !== null) total += added_bytes;
  return true;
}

/** Returns whether this many more bytes fit, evicting unpinned tiles if needed. */
async function evictToFit(added_bytes: number): Promise<boolean> {
  const budget = await readTileBudget();
  total ??= sumOf(await listTiles());
  if (added_bytes <= 0 || total + added_bytes <= budget) return true;
  await evict(chooseEvictions(await listTiles(), budget, added_bytes));
  total = sumOf(await listTiles());
  return total + added_bytes <= budget;
}

/** Pins an existing tile to a saved city. Returns false if it was evicted in between. */
export async function pinTile(id: string, city_id: string): Promise<boolean> {
  return write(['map_tiles'], async (transaction) => {
    const store = transaction.objectStore('map_tiles');
    const tile = await store.get(id);
    if (!tile) return false;
    const pinned = withPin(tile.pinned, city_id);
    if (pinned.length > tile.pinned.length) await store.put({ ...tile, pinned, pin_count: pinned.length });
    return true;
  });
}

function withPin(pinned: readonly string[], city_id?: string): string[] {
  return city_id === undefined || pinned.includes(city_id) ? [...pinned] : [...pinned, city_id];
}

/**
 * Unpins a city's tiles and deletes those that no other city needs. Deletions first, in a separate transaction: a full
 * disk refuses the second one, which writes.
 */
export async function unpinTiles(city_id: string): Promise<void> {
  await write(['map_tiles'], async (transaction) => {
    const store = transaction.objectStore('map_tiles');
    const ids = new Set(await store.index('pinned').getAllKeys(city_id));
    // By keys, as in `evict`: those that only this city needs.
    let cursor = await store.index('age').openKeyCursor(IDBKeyRange.bound([1], [2], false, true));
    for (; cursor; cursor = await cursor.continue())
      if (ids.has(cursor.primaryKey)) await store.delete(cursor.primaryKey);
  });
  total = null;
  await write(['map_tiles'], async (transaction) => {
    let cursor = await transaction.objectStore('map_tiles').index('pinned').openCursor(city_id);
    for (; cursor; cursor = await cursor.continue()) {
      const pinned = cursor.value.pinned.filter((id) => id !== city_id);
      await cursor.update({ ...cursor.value, pinned, pin_count: pinned.length });
    }
  });
}

/** Returns the bytes of the tiles that a city needs. */
export async function countCityTileBytes(city_id: string): Promise<number> {
  const ids = new Set(await (await openCache()).getAllKeysFromIndex('map_tiles', 'pinned', city_id));
  return sumOf((await listTiles()).filter(({ id }) => ids.has(id)));
}

/** Returns how many bytes a city's tiles may take within the budget, beside those of other cities. */
export async function cityTileBudget(city_id: string): Promise<number> {
  const pinned = (await listTiles()).filter(({ pin_count }) => pin_count > 0);
  return Math.max(0, (await readTileBudget()) - sumOf(pinned) + (await countCityTileBytes(city_id)));
}

/** Removes tiles from before `stored_before` (ms epoch) or over the budget, except those that a saved city needs. */
export async function trimTiles(stored_before: number): Promise<void> {
  const tiles = await listTiles();
  const is_old = ({ pin_count, cached_at }: TileFact) => pin_count === 0 && cached_at < stored_before;
  const recent_tiles = tiles.filter((tile) => !is_old(tile));
  const over_budget_ids = chooseEvictions(recent_tiles, await readTileBudget());
  await evict([...tiles.filter(is_old).map(({ id }) => id), ...over_budget_ids]);
  total = null;
}

/** Removes every tile that no saved city needs. Returns the freed bytes. */
export async function deleteUnpinnedTiles(): Promise<number> {
  const tiles = await listTiles();
  const unpinned = tiles.filter(({ pin_count }) => pin_count === 0);
  await evict(unpinned.map(({ id }) => id));
  total = null;
  // Otherwise the next use of the map would fill the disk again.
  if (unpinned.length > 0) lowerTileBudget(sumOf(tiles) / 2);
  return sumOf(unpinned);
}

/** Removes all tiles, also those of saved cities, which are then incomplete and are completed when there is room. */
export async function deleteAllTiles(): Promise<void> {
  // Before the cities are marked, and separately: a full disk refuses the marking, and would roll back this with it.
  await write(['map_tiles'], (transaction) => transaction.objectStore('map_tiles').clear());
  total = null;
  await write(['saved_cities'], async (transaction) => {
    const cities = transaction.objectStore('saved_cities');
    for (const city of await cities.getAll()) await cities.put({ ...city, state: 'saving' });
  });
}

export async function totalTileBytes(): Promise<number> {
  return sumOf(await listTiles());
}

/**
 * Removes the tiles that no saved city has pinned since they were chosen. Uses only the index's keys: reading a tile
 * keeps its Blob alive, and Chromium only frees the space after garbage collection.
 */
async function evict(ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const chosen = new Set(ids);
  await write(['map_tiles'], async (transaction) => {
    const store = transaction.objectStore('map_tiles');
    let cursor = await store.index('age').openKeyCursor(IDBKeyRange.bound([0], [1], false, true));
    for (; cursor; cursor = await cursor.continue())
      if (chosen.has(cursor.primaryKey)) await store.delete(cursor.primaryKey);
  });
}

/** Returns every tile from the index's keys, without its data. */
async function listTiles(): Promise<TileFact[]> {
  const tiles: TileFact[] = [];
  let cursor = await (await openCache()).transaction('map_tiles').store.index('age').openKeyCursor();
  for (; cursor; cursor = await cursor.continue()) {
    const [pin_count, cached_at, bytes] = cursor.key;
    tiles.push({ id: cursor.primaryKey, pin_count, cached_at, bytes });
  }
  return tiles;
}

function sumOf(tiles: readonly TileFact[]): number {
  return tiles.reduce((sum, { bytes }) => sum + bytes, 0);
}
