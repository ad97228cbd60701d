import type { Place } from '@sendlap/contract/places.ts';
import { type BoundingBox, isPosition, type Position } from '@sendlap/domain/geo.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { useSyncExternalStore } from 'react';
import { session } from '#web/shared/api/client.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import type { DevicePosition } from '#web/shared/data/device-position.ts';
import { findPlace, rememberPlaces } from './places.ts';
import { readSearch, type SearchAddress, writeSearch } from './search-address.ts';
import { middleOf } from './shown-area.ts';

/** The origin of distances. */
export type Origin =
  | (Position & { kind: 'device' })
  /** `place` is null for the default city of a first visit. */
  | (Position & { kind: 'place'; name: string; place: Place | null })
  | (Position & { kind: 'map' });

export interface SearchState {
  origin: Origin;
  /** The origin to return to when a place is cleared. */
  home: Origin;
  /** The device's position once the user has shared it, for the dot on the map. */
  me: DevicePosition | null;
  q: string;
  sport: Sport | null;
  open_to_all: boolean;
  /** null: no limit. */
  radius_km: number | null;
  /** A map area that the user searched; takes precedence over the radius. */
  box: BoundingBox | null;
}

const LAST_PLACE_KEY = 'sport-centers-last-place';

let state: SearchState | null = null;
let owner: string | null = null;
let begun = 0;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// Resets before the next user sees the search, and cancels a `beginSearch` that is still running.
session.onSignedOut(() => {
  begun += 1;
  owner = null;
  set(null);
});

function set(next: SearchState | null): void {
  state = next;
  for (const listener of listeners) listener();
}

/**
 * The search of this page load, visible only to its owner: it survives visiting a center's page. Null until
 * `beginSearch` is done.
 */
export function useSearchState(user_id: string | null): SearchState | null {
  return useSyncExternalStore(subscribe, () => (owner === user_id ? state : null));
}

/**
 * Starts with the search in the address, around the place where this user last searched, else at `fallback`. Another
 * user never sees that place: it is stored under the user's id and deleted at sign-out. An address without a search
 * keeps the current one.
 */
export async function beginSearch(user_id: string | null, fallback: Origin, address: string): Promise<void> {
  const asked = readSearch(address);
  const isMine = owner === user_id && state !== null;
  if (isMine && (address === '' || (state && writeSearch(asked) === addressOf(state)))) return;
  begun += 1;
  const turn = begun;
  const last = user_id === null ? undefined : await loadMetadata(LAST_PLACE_KEY);
  const place = asked.place && (await findPlace(asked.place));
  if (turn !== begun) return;
  const home: Origin = isLastPlace(last) ? last : fallback;
  const me = isMine ? (state?.me ?? null) : null;
  owner = user_id;
  set({ ...stateOf(asked, place, home), me });
}

function stateOf(asked: SearchAddress, place: Place | null, home: Origin): SearchState {
  const { q, sport, open_to_all, radius_km, box } = asked;
  const origin: Origin = box ? { kind: 'map', ...middleOf(box) } : home;
  const start = { origin, home, me: null, q, sport, open_to_all, radius_km, box };
  if (place) return { ...start, origin: toOrigin(place), radius_km: radius_km ?? (q === '' ? place.radius_km : null) };
  // A place that is unknown here is searched by its name, like any other text.
  return { ...start, q: q || (asked.place?.name ?? '') };
}

/** The query string of this search, '' for the default: it never contains the device's position. */
export function addressOf(search: SearchState): string {
  const { origin, q, sport, open_to_all, radius_km, box } = search;
  const place = origin.kind === 'place' ? origin.place : null;
  const near_me = origin.kind === 'device' && box === null;
  return writeSearch({ q, sport, open_to_all, radius_km: box ? null : radius_km, box, place, near_me });
}

export function changeFilters(change: Partial<Pick<SearchState, 'sport' | 'open_to_all'>>): void {
  if (state) set({ ...state, ...change });
}

/** The text in the field now, for async work that started with an earlier one. */
export function currentWords(): string {
  return state?.q ?? '';
}

/** A text is searched everywhere: a user who types a far city wants it found, not filtered out by the radius. */
export function changeWords(q: string): void {
  if (state) set(q.trim() === '' ? { ...state, q } : { ...state, q, radius_km: null, box: null });
}

/** Sets the radius around the origin; clears a searched map area. */
export function changeRadius(radius_km: number | null): void {
  if (state) set({ ...state, radius_km, box: null });
}

/** Searches around a town, with the town's own radius. */
export function searchAroundPlace(place: Place): void {
  if (!state) return;
  set({ ...state, origin: toOrigin(place), q: '', box: null, radius_km: place.radius_km });
  if (owner !== null) void rememberPlaces([place], owner);
}

/** Clears text and place, and returns to the initial origin. */
export function clearSearch(): void {
  if (!state) return;
  const { me, home, origin } = state;
  const isAtPlace = origin.kind === 'place' && origin.place !== null;
  const back = me ? atDevice(me) : home;
  set({ ...state, q: '', ...(isAtPlace ? { origin: back, radius_km: null } : {}) });
}

export function searchAroundMe(me: DevicePosition): void {
  if (!state) return;
  const { latitude, longitude } = me;
  const isAtPlace = state.origin.kind === 'place' && state.origin.place !== null;
  const radius_km = isAtPlace ? null : state.radius_km;
  set({ ...state, me, origin: atDevice(me), box: null, q: '', radius_km });
  // Rounded to about a kilometre: precise enough to start there, too coarse to reveal an address.
  const near = { latitude: Math.round(latitude * 100) / 100, longitude: Math.round(longitude * 100) / 100 };
  remember({ kind: 'map', ...near });
}

/** Searches the visible map area; its middle is the origin unless the device's position is known. */
export function searchInBox(box: BoundingBox, middle: Position): void {
  if (!state) return;
  const { me } = state;
  const origin: Origin = me ? atDevice(me) : { kind: 'map', ...middle };
  set({ ...state, box, origin });
  remember({ kind: 'map', ...middle });
}

function remember(origin: Origin): void {
  if (owner !== null) void saveMetadata(LAST_PLACE_KEY, origin, owner);
}

function atDevice({ latitude, longitude }: DevicePosition): Origin {
  return { kind: 'device', latitude, longitude };
}

function toOrigin(place: Place): Origin {
  const { latitude, longitude, name } = place;
  return { kind: 'place', latitude, longitude, name, place };
}

function isLastPlace(value: unknown): value is Origin {
  return isPosition(value) && (value as { kind?: unknown }).kind === 'map';
}
