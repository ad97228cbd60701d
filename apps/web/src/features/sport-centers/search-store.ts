import { type BoundingBox, isPosition, type Position } from '@sendlap/domain/geo.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { useSyncExternalStore } from 'react';
import { loadMetadata, saveMetadata } from '#web/shared/local-db/metadata.ts';
import type { DevicePosition } from './device-position.ts';

/** Where distances are counted from. */
export type Origin =
  | (Position & { kind: 'device' })
  | (Position & { kind: 'place'; name: string })
  | (Position & { kind: 'map' });

export interface SearchState {
  origin: Origin;
  /** The device's position once it was given, for the dot on the map. */
  me: DevicePosition | null;
  q: string;
  sport: Sport | null;
  open_to_all: boolean;
  /** null: however far. */
  radius_km: number | null;
  /** A part of the map that was asked for; it comes before the radius. */
  box: BoundingBox | null;
}

const LAST_PLACE_KEY = 'sport-centers-last-place';

let state: SearchState | null = null;
let owner: string | null = null;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: SearchState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** The search of this page life: it survives the way to a center and back. Null until `beginSearch` is done. */
export function useSearchState(): SearchState | null {
  return useSyncExternalStore(subscribe, () => state);
}

/**
 * Begins where this user last looked, else at `fallback`. Another user never sees the place of the one before:
 * it is kept under the user's id and goes when the user leaves.
 */
export async function beginSearch(user_id: string | null, fallback: Origin): Promise<void> {
  if (state && owner === user_id) return;
  const last = user_id === null ? undefined : await loadMetadata(LAST_PLACE_KEY);
  owner = user_id;
  set({
    origin: isOrigin(last) ? last : fallback,
    me: null,
    q: '',
    sport: null,
    open_to_all: false,
    radius_km: null,
    box: null,
  });
}

export function changeFilters(change: Partial<Pick<SearchState, 'sport' | 'open_to_all'>>): void {
  if (state) set({ ...state, ...change });
}

/** Words are looked for everywhere: who types a far city does not want to hear that it is far. */
export function changeWords(q: string): void {
  if (state) set(q.trim() === '' ? { ...state, q } : { ...state, q, radius_km: null, box: null });
}

/** Around where distances are counted from; a part of the map that was asked for is let go. */
export function changeRadius(radius_km: number | null): void {
  if (state) set({ ...state, radius_km, box: null });
}

export function searchAroundMe(me: DevicePosition): void {
  if (!state) return;
  const { latitude, longitude } = me;
  set({ ...state, me, origin: { kind: 'device', latitude, longitude }, box: null, q: '' });
  // To a kilometre: enough to begin at, too little to know a door.
  const near = { latitude: Math.round(latitude * 100) / 100, longitude: Math.round(longitude * 100) / 100 };
  remember({ kind: 'map', ...near });
}

/** The part of the map in sight; its middle is the origin unless the device's position is known. */
export function searchInBox(box: BoundingBox, middle: Position): void {
  if (!state) return;
  const origin: Origin = state.me ? state.origin : { kind: 'map', ...middle };
  set({ ...state, box, origin });
  remember({ kind: 'map', ...middle });
}

function remember(origin: Origin): void {
  if (owner !== null) void saveMetadata(LAST_PLACE_KEY, origin, owner);
}

function isOrigin(value: unknown): value is Origin {
  return isPosition(value) && (value as { kind?: unknown }).kind === 'map';
}
