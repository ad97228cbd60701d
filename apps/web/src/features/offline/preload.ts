import { distanceKm, isPosition, type Position } from '@sendlap/domain/geo.ts';
import { SENT_POSITION_DIGITS } from '#web/shared/data/sent-position.ts';
import { withFreeLock } from '#web/shared/lib/web-lock.ts';

/** Key of the local metadata (spec, section 3). */
export const LAST_PRELOAD_KEY = 'last_preload';
/** Ids of the nearby centers, those at which most athletes train first, then the nearest. */
export const RECOMMENDED_KEY = 'recommended_centers';
/** Centers within this radius are preloaded. */
export const PRELOAD_RADIUS_KM = 25;
/** Recommended offline sport centers: the top 5 by activity count (spec, section 9). */
const RECOMMENDED_COUNT = 5;
/** Pages of 100 centers: more than that is of no use to a user who is offline. */
const MAX_PAGES = 5;
const MIN_INTERVAL_MS = 3_600_000;
/** Positions within this distance count as the same place. */
const SAME_PLACE_KM = 5;

export interface PreloadDeps {
  isOnline: () => boolean;
  /** Whether the user asked the browser to save data. */
  isDataSaverOn: () => boolean;
  /** The device's position, if the permission was granted before. */
  readGrantedPosition: () => Promise<Position | null>;
  /** Where the user last searched, else the default city; null: unknown. */
  loadLastOrigin: () => Promise<Position | null>;
  loadMetadata: (key: string) => Promise<unknown>;
  saveMetadata: (key: string, value: unknown) => Promise<void>;
  /** These fetch and save. `saveCentersAround` handles one page and returns the cursor of the next. */
  saveCentersAround: (position: Position, cursor: string | null) => Promise<string | null>;
  saveRecommended: (position: Position, limit: number) => Promise<string[]>;
  saveTilesAround: (position: Position) => Promise<void>;
  now: () => number;
}

export type PreloadOutcome = 'done' | 'offline' | 'saving_data' | 'no_position' | 'lately' | 'elsewhere';

/**
 * Preloads centers and map around the user for offline use: not on a metered connection, at most once an hour for the
 * same place, and in one tab at a time (`elsewhere`: another tab is doing it). Rejects if a request fails; it is
 * retried when the network returns.
 */
export async function preload(deps: PreloadDeps): Promise<PreloadOutcome> {
  let outcome: PreloadOutcome = 'elsewhere';
  await withFreeLock('sendlap-preload', async () => {
    outcome = await preloadNow(deps);
  });
  return outcome;
}

async function preloadNow(deps: PreloadDeps): Promise<PreloadOutcome> {
  if (!deps.isOnline()) return 'offline';
  if (deps.isDataSaverOn()) return 'saving_data';
  const origin = (await deps.readGrantedPosition()) ?? (await deps.loadLastOrigin());
  if (!origin) return 'no_position';
  const position = roundPosition(origin);
  if (wasRecentlyPreloaded(await deps.loadMetadata(LAST_PRELOAD_KEY), position, deps.now())) return 'lately';
  let cursor: string | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    cursor = await deps.saveCentersAround(position, cursor);
    if (cursor === null) break;
  }
  await deps.saveMetadata(RECOMMENDED_KEY, await deps.saveRecommended(position, RECOMMENDED_COUNT));
  await deps.saveTilesAround(position);
  await deps.saveMetadata(LAST_PRELOAD_KEY, { ...position, at: deps.now() });
  return 'done';
}

function roundPosition({ latitude, longitude }: Position): Position {
  const round = (degrees: number) => Number(degrees.toFixed(SENT_POSITION_DIGITS));
  return { latitude: round(latitude), longitude: round(longitude) };
}

function wasRecentlyPreloaded(last: unknown, position: Position, now: number): boolean {
  if (!isPosition(last)) return false;
  const { at } = last as { at?: unknown };
  // A clock that was set back must not stop preloading for good.
  if (typeof at !== 'number' || now < at || now - at >= MIN_INTERVAL_MS) return false;
  return distanceKm(last, position) <= SAME_PLACE_KM;
}
