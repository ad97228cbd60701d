/** Map tiles take at most so much, and at most so large a part of what the browser gives this site. */
export const TILE_BUDGET_BYTES = 50 * 1024 * 1024;
const TILE_BUDGET_SHARE = 0.1;
/** After cleaning up there is room for a while, so that not every new tile makes another one leave. */
const KEPT_SHARE = 0.9;
const BUDGET_LIFETIME_MS = 5 * 60_000;

/** What the `age` index says about a tile. */
export interface TileFact {
  id: string;
  pin_count: number;
  cached_at: number;
  bytes: number;
}

/** Bytes for all tiles together; `quota` in bytes, undefined where the browser does not say. */
export function tileBudget(quota: number | undefined): number {
  return Math.floor(Math.min(TILE_BUDGET_BYTES, (quota ?? Number.POSITIVE_INFINITY) * TILE_BUDGET_SHARE));
}

/**
 * Ids of the tiles that have to go so that `incoming` more bytes fit: nothing while they fit; else the oldest first,
 * down to a little under the budget. Tiles of saved cities never go.
 */
export function chooseEvictions(tiles: readonly TileFact[], budget: number, incoming = 0): string[] {
  let total = tiles.reduce((sum, { bytes }) => sum + bytes, incoming);
  if (total <= budget) return [];
  const target = budget * KEPT_SHARE;
  const loose = tiles.filter(({ pin_count }) => pin_count === 0);
  loose.sort((a, b) => a.cached_at - b.cached_at || (a.id < b.id ? -1 : 1));
  const gone: string[] = [];
  for (const { id, bytes } of loose) {
    if (total <= target) break;
    total -= bytes;
    gone.push(id);
  }
  return gone;
}

let known: { budget: number; at: number } | null = null;

/** The disk was full: tiles get no more than so many bytes for the next 5 minutes. Chromium's quota does not say it. */
export function lowerTileBudget(bytes: number): void {
  known = { budget: Math.min(bytes, known?.budget ?? bytes), at: Date.now() };
}

/** The budget of this browser, asked for anew every 5 minutes. */
export async function readTileBudget(): Promise<number> {
  if (known && Date.now() - known.at < BUDGET_LIFETIME_MS) return known.budget;
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined);
  known = { budget: tileBudget(estimate?.quota), at: Date.now() };
  return known.budget;
}
