import type { Town } from '@sendlap/contract/towns.ts';
import type { BoundingBox, Position } from '@sendlap/domain/geo.ts';
import type { Sport } from '@sendlap/domain/sports.ts';
import { useSyncExternalStore } from 'react';
import { session } from '#web/shared/api/client.ts';
import type { DevicePosition } from '#web/shared/data/device-position.ts';
import { loadLastOrigin, saveLastOrigin } from '#web/shared/data/last-origin.ts';
import { createListeners } from '#web/shared/lib/store.ts';
import {
  formatSearch,
  hasRegion,
  parseSearch,
  type Region,
  type SearchLimits,
  type SearchUrlState,
} from './search-url.ts';
import { middleOf } from './shown-area.ts';
import { findTown, rememberTowns } from './towns.ts';

/** The origin of distances. */
export type Origin =
  | (Position & { kind: 'device' })
  /** `town`: null for the default city of a first visit. */
  | (Position & { kind: 'town'; name: string; town: Town | null })
  | (Position & { kind: 'map' });

export interface SearchState extends SearchLimits {
  origin: Origin;
  /** The origin to return to when a town is cleared. */
  home: Origin;
  /** The device's position once the user has shared it, for the dot on the map. */
  me: DevicePosition | null;
  /** Searches for the words of `q`, even if they mean a sport or a town. */
  as_words: boolean;
}

const NO_REGION: Region = { country: null, city: null };

let state: SearchState | null = null;
let owner: string | null = null;
let latestRequest = 0;
/** The user of the latest request; null: a visitor. */
let requester: string | null = null;
const { subscribe, notify } = createListeners();

// Resets before the next user sees the search, and cancels the user's `beginSearch` that is still running. A visitor's
// search stays: the page may learn of a sign-out only after it has begun.
session.onSignedOut(() => {
  if (requester !== null) latestRequest += 1;
  if (owner === null) return;
  owner = null;
  set(null);
});

function set(next: SearchState | null): void {
  state = next;
  notify();
}

/**
 * The search of this page load, visible only to its owner: it survives visiting a center's page. Null until
 * `beginSearch` is done.
 */
export function useSearchState(user_id: string | null): SearchState | null {
  return useSyncExternalStore(subscribe, () => (owner === user_id ? state : null));
}

/**
 * Starts with the search in the address, around the last origin of this user, else at `fallback`. Another user never
 * sees that origin: it is stored under the user's id and deleted at sign-out. An address without a search
 * keeps the current one.
 */
export async function beginSearch(user_id: string | null, fallback: Origin, address: string): Promise<void> {
  const requested = parseSearch(address);
  const isOwner = owner === user_id && state !== null;
  if (isOwner && (address === '' || (state && formatSearch(requested) === toQueryString(state)))) return;
  latestRequest += 1;
  requester = user_id;
  const request = latestRequest;
  const last = user_id === null ? null : await loadLastOrigin();
  const town = requested.town && (await findTown(requested.town));
  if (request !== latestRequest) return;
  const home: Origin = last ? { kind: 'map', ...last } : fallback;
  const me = isOwner ? (state?.me ?? null) : null;
  owner = user_id;
  set({ ...toSearchState(requested, town, home), me });
}

function toSearchState(requested: SearchUrlState, town: Town | null, home: Origin): SearchState {
  const { q, sport, open_to_all, country, city, radius_km, box } = requested;
  const origin: Origin = box ? { kind: 'map', ...middleOf(box) } : home;
  const base = { origin, home, me: null, q, as_words: false, sport, open_to_all, country, city, radius_km, box };
  if (town) return { ...base, origin: townOrigin(town), radius_km: radius_km ?? (q === '' ? town.radius_km : null) };
  // A town that is unknown here is searched by its name, like any other text.
  return { ...base, q: q || (requested.town?.name ?? '') };
}

/** The query string of this search, '' for the default: it never contains the device's position. */
export function toQueryString(search: SearchState): string {
  const { origin, q, sport, open_to_all, country, city, radius_km, box } = search;
  const town = origin.kind === 'town' ? origin.town : null;
  const near_me = origin.kind === 'device' && box === null && !hasRegion(search);
  const filters = { sport, open_to_all, country, city, radius_km: box ? null : radius_km };
  return formatSearch({ q, ...filters, box, town, near_me });
}

export function changeFilters(change: Partial<Pick<SearchState, 'sport' | 'open_to_all'>>): void {
  if (state) set({ ...state, ...change });
}

/**
 * Searches a country or a city, as a text: everywhere in it. It replaces the town, the radius and the map area, as these
 * replace it. Two nulls search all countries again.
 */
export function changeRegion(region: Region): void {
  if (!state) return;
  const everywhere = hasRegion(region) ? { origin: originWithoutTown(state), radius_km: null, box: null } : {};
  set({ ...state, ...region, ...everywhere });
}

/** The text in the field now, for async work that started with an earlier one. */
export function currentText(): string {
  return state?.q ?? '';
}

/** A text is searched everywhere: a user who types a far city wants it found, not filtered out by the radius. */
export function changeText(q: string): void {
  if (!state) return;
  const next = { ...state, q, as_words: false };
  set(q.trim() === '' ? next : { ...next, radius_km: null, box: null });
}

/** Searches for the words as they were typed, until the text changes. */
export function searchAsWords(): void {
  if (state) set({ ...state, as_words: true });
}

/** Replaces the search, for example by the one that its text means. */
export function keepSearch(search: SearchState): void {
  if (!state) return;
  set(search);
  const { origin } = search;
  if (owner !== null && origin.kind === 'town' && origin.town) void rememberTowns([origin.town], owner);
}

/** Sets the radius around the origin; clears a searched map area. */
export function changeRadius(radius_km: number | null): void {
  if (state) set({ ...state, radius_km, box: null });
}

/** Searches around a town, with the town's own radius, and for the sport that was typed with it. */
export function searchAroundTown(town: Town, sport: Sport | null = null): void {
  if (!state) return;
  const around = { origin: townOrigin(town), q: '', box: null, radius_km: town.radius_km, ...NO_REGION };
  keepSearch({ ...state, ...around, sport: sport ?? state.sport });
}

/** Clears the text and the town, and returns to the initial origin. */
export function clearSearch(): void {
  if (!state) return;
  set({ ...state, q: '', ...(isAtTown(state) ? { origin: originWithoutTown(state), radius_km: null } : {}) });
}

function isAtTown({ origin }: SearchState): boolean {
  return origin.kind === 'town' && origin.town !== null;
}

function originWithoutTown(search: SearchState): Origin {
  const { me, home, origin } = search;
  if (!isAtTown(search)) return origin;
  return me ? deviceOrigin(me) : home;
}

export function searchAroundMe(me: DevicePosition): void {
  if (!state) return;
  const { latitude, longitude } = me;
  const radius_km = isAtTown(state) ? null : state.radius_km;
  set({ ...state, me, origin: deviceOrigin(me), box: null, q: '', radius_km, ...NO_REGION });
  // Rounded to about a kilometre: precise enough to start there, too coarse to reveal an address.
  const near = { latitude: Math.round(latitude * 100) / 100, longitude: Math.round(longitude * 100) / 100 };
  rememberOrigin(near);
}

/** Searches the visible map area; its middle is the origin unless the device's position is known. */
export function searchInBox(box: BoundingBox, middle: Position): void {
  if (!state) return;
  const { me } = state;
  const origin: Origin = me ? deviceOrigin(me) : { kind: 'map', ...middle };
  set({ ...state, box, origin, ...NO_REGION });
  rememberOrigin(middle);
}

function rememberOrigin(position: Position): void {
  if (owner !== null) saveLastOrigin(position, owner);
}

function deviceOrigin({ latitude, longitude }: DevicePosition): Origin {
  return { kind: 'device', latitude, longitude };
}

export function townOrigin(town: Town): Origin {
  const { latitude, longitude, name } = town;
  return { kind: 'town', latitude, longitude, name, town };
}
