/** Map tiles take at most this many bytes, and at most this share of the browser's quota for the site. */
export const TILE_BUDGET_BYTES = 50 * 1024 * 1024;
const TILE_BUDGET_SHARE = 0.1;
/** Eviction frees some extra room, so that not every new tile evicts another one. */
const EVICTION_TARGET_SHARE = 0.9;
const BUDGET_LIFETIME_MS = 5 * 60_000;

/** A tile as the `age` index describes it. */
export interface TileFact {
  id: string;
  pin_count: number;
  cached_at: number;
  bytes: number;
}

/** Returns the budget of all tiles together, in bytes; `quota` is undefined if the browser does not report it. */
export function tileBudget(quota: number | undefined): number {
  return Math.floor(Math.min(TILE_BUDGET_BYTES, (quota ?? Number.POSITIVE_INFINITY) * TILE_BUDGET_SHARE));
}

/**
 * Returns the ids of the tiles to evict so that `incoming` more bytes fit: none while they fit; else the oldest first,
 * down to slightly under the budget. Never evicts tiles of saved cities.
 */
export function chooseEvictions(tiles: readonly TileFact[], budget: number, incoming = 0): string[] {
  let total = tiles.reduce((sum, { bytes }) => sum + bytes, incoming);
  if (total <= budget) return [];
  const target = budget * EVICTION_TARGET_SHARE;
  const unpinned = tiles.filter(({ pin_count }) => pin_count === 0);
  unpinned.sort((a, b) => a.cached_at - b.cached_at || (a.id < b.id ? -1 : 1));
  const evicted_ids: string[] = [];
  for (const { id, bytes } of unpinned) {
    if (total <= target) break;
    total -= bytes;
    evicted_ids.push(id);
  }
  return evicted_ids;
}

let cached_budget: { budget: number; at: number } | null = null;

/**
 * Limits tiles to this many bytes for the next 5 minutes, after the disk was full, which Chromium's quota does not
 * show.
 */
export function lowerTileBudget(bytes: number): void {
  cached_budget = { budget: Math.min(bytes, cached_budget?.budget ?? bytes), at: Date.now() };
}

/** Returns this browser's budget, read again every 5 minutes. */
export async function readTileBudget(): Promise<number> {
  if (cached_budget && Date.now() - cached_budget.at < BUDGET_LIFETIME_MS) return cached_budget.budget;
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
  cached_budget = { budget: tileBudget(estimate?.quota), at: Date.now() };
  return cached_budget.budget;
}
