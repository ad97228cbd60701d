import { type Place, searchPlaces } from '@sendlap/contract/places.ts';
import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { foldTownName } from '@sendlap/domain/towns.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { listSavedCities } from '#web/shared/local-db/saved-cities.ts';
import type { TownReference } from './search-url.ts';

/** Few enough to keep the list of centers in sight. */
const MAX_SUGGESTIONS = 3;
/** Minimum length of a text that gets suggestions. */
const MIN_LETTERS = 2;

/** More than are shown: the server does not know which ones are near the user. */
const REQUEST_LIMIT = '20';
const NEAR_KM = 50;
const SEEN_KEY = 'places-seen';
const MAX_SEEN = 60;
/** Ranks saved towns first among otherwise equal ones. */
const SAVED_POPULATION = Number.MAX_SAFE_INTEGER;
const STALE_MS = 24 * 3_600_000;

/** Towns on the server whose name begins with a folded text. The results are stored, so that they are known offline. */
export function searchTownsQuery(text: string, user_id: string | null) {
  return queryOptions({
    queryKey: ['places', 'search', text],
    queryFn: async ({ signal }) => {
      const { items } = await call(searchPlaces, { query: { q: text, limit: REQUEST_LIMIT } }, { signal });
      if (user_id !== null) void rememberTowns(items.slice(0, MAX_SUGGESTIONS), user_id);
      return items;
    },
    enabled: text.length >= MIN_LETTERS,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });
}

/** Towns that this device has cached, most recent first. */
export function cachedTownsQuery() {
  return queryOptions({
    queryKey: ['places', 'known'],
    queryFn: loadCachedTowns,
    staleTime: 0,
  });
}

/** Returns the town in an address: from this device, else from the server; null if neither knows it now. */
export async function findTown({ id, name }: TownReference): Promise<Place | null> {
  const cached = (await loadCachedTowns()).find((place) => place.id === id);
  if (cached) return cached;
  try {
    const { items } = await call(searchPlaces, { query: { q: name, limit: '20' } });
    return items.find((place) => place.id === id) ?? items.find((place) => hasName(place, foldTownName(name))) ?? null;
  } catch {
    return null;
  }
}

/** Stores towns under the user's id: the searches of a user are private. */
export async function rememberTowns(towns: readonly Place[], user_id: string): Promise<void> {
  const seen = await loadSeenTowns();
  const older = seen.filter(({ id }) => towns.every((place) => place.id !== id));
  await saveMetadata(SEEN_KEY, [...towns, ...older].slice(0, MAX_SEEN), user_id);
}

/**
 * Suggestions for a folded text: from the server's answer if it is here; until then, and offline, the cached towns that
 * begin with the text. Whole names come first, then big and near towns.
 */
export function suggestTowns(
  text: string,
  { answered, cached, from }: { answered: readonly Place[] | null; cached: readonly Place[]; from: Position },
): Place[] {
  if (text.length < MIN_LETTERS) return [];
  const matching = cached.filter((place) => namesOf(place).some((name) => name.startsWith(text)));
  const distinct = new Map((answered ?? matching).map((place) => [place.id, place]));
  const ranked = [...distinct.values()].map((place) => ({
    place,
    isFullName: hasName(place, text),
    weight: weigh(place, from),
  }));
  ranked.sort((a, b) => Number(b.isFullName) - Number(a.isFullName) || b.weight - a.weight);
  return ranked.slice(0, MAX_SUGGESTIONS).map(({ place }) => place);
}

/** A town ten times as far must be ten times as big to rank the same. */
function weigh(place: Place, from: Position): number {
  return Math.log10(place.population + 1) - Math.log10(Math.max(NEAR_KM, distanceKm(place, from)));
}

/** Whether a folded text is the full name of the town. */
export function hasName(town: Place, text: string): boolean {
  return namesOf(town).includes(text);
}

function namesOf({ name, name_es }: Place): string[] {
  return [name, name_es ?? ''].filter((text) => text !== '').map(foldTownName);
}

async function loadCachedTowns(): Promise<Place[]> {
  const [saved, seen] = await Promise.all([loadSavedTowns(), loadSeenTowns()]);
  return [...seen, ...saved];
}

async function loadSeenTowns(): Promise<Place[]> {
  const seen = await loadMetadata(SEEN_KEY);
  return Array.isArray(seen) ? (seen as Place[]) : [];
}

/** Towns that were saved for offline use. */
async function loadSavedTowns(): Promise<Place[]> {
  const cities = await listSavedCities();
  return cities.flatMap(({ id, name, name_es, country, latitude, longitude, radius_km }) =>
    // A town that the user saved is likely the one they mean.
    name === null ? [] : [{ id, name, name_es, country, latitude, longitude, radius_km, population: SAVED_POPULATION }],
  );
}
