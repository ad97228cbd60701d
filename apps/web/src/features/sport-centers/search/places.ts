import { type Place, searchPlaces } from '@sendlap/contract/places.ts';
import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { foldPlaceName } from '@sendlap/domain/places.ts';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { listSavedCities } from '#web/shared/local-db/saved-cities.ts';
import type { PlaceReference } from './search-address.ts';

/** As many suggestions leave the list of centers in sight. */
const MAX_SUGGESTIONS = 3;
/** Letters from which on a text is worth a suggestion. */
const MIN_LETTERS = 2;

/** More than are shown: the server does not know which ones are near. */
const ASKED = '20';
const NEAR_KM = 50;
const SEEN_KEY = 'places-seen';
const MAX_SEEN = 60;
/** Saved towns come first among equals. */
const SAVED_POPULATION = Number.MAX_SAFE_INTEGER;
const STALE_MS = 24 * 3_600_000;

/** Towns whose name begins with a folded text, by the server. What came is known afterwards without a network. */
export function searchPlacesQuery(text: string, user_id: string | null) {
  return queryOptions({
    queryKey: ['places', 'search', text],
    queryFn: async ({ signal }) => {
      const { items } = await call(searchPlaces, { query: { q: text, limit: ASKED } }, { signal });
      if (user_id !== null) void rememberPlaces(items.slice(0, MAX_SUGGESTIONS), user_id);
      return items;
    },
    enabled: text.length >= MIN_LETTERS,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
  });
}

/** Places that this device has met, the latest first. */
export function knownPlacesQuery() {
  return queryOptions({
    queryKey: ['places', 'known'],
    queryFn: loadKnownPlaces,
    staleTime: 0,
  });
}

/** The place that an address names: out of those met here, else by asking; null when nobody knows it now. */
export async function findPlace({ id, name }: PlaceReference): Promise<Place | null> {
  const known = (await loadKnownPlaces()).find((place) => place.id === id);
  if (known) return known;
  try {
    const { items } = await call(searchPlaces, { query: { q: name, limit: '20' } });
    return (
      items.find((place) => place.id === id) ?? items.find((place) => isCalled(place, foldPlaceName(name))) ?? null
    );
  } catch {
    return null;
  }
}

/** Keeps places under the user's id: which ones were looked for is nobody else's business. */
export async function rememberPlaces(places: readonly Place[], user_id: string): Promise<void> {
  const seen = await loadSeenPlaces();
  const older = seen.filter(({ id }) => places.every((place) => place.id !== id));
  await saveMetadata(SEEN_KEY, [...places, ...older].slice(0, MAX_SEEN), user_id);
}

/**
 * What to suggest for a folded text: out of the server's answer to it where that is here, until then and without a
 * network out of the known places that begin like it. Whole names come first, then big towns and near ones.
 */
export function suggestPlaces(
  text: string,
  { answered, known, from }: { answered: readonly Place[] | null; known: readonly Place[]; from: Position },
): Place[] {
  if (text.length < MIN_LETTERS) return [];
  const begun = known.filter((place) => namesOf(place).some((name) => name.startsWith(text)));
  const distinct = new Map((answered ?? begun).map((place) => [place.id, place]));
  const ranked = [...distinct.values()].map((place) => ({
    place,
    isWhole: isCalled(place, text),
    weight: weigh(place, from),
  }));
  ranked.sort((a, b) => Number(b.isWhole) - Number(a.isWhole) || b.weight - a.weight);
  return ranked.slice(0, MAX_SUGGESTIONS).map(({ place }) => place);
}

/** A town ten times as far has to be ten times as big to be meant as likely. */
function weigh(place: Place, from: Position): number {
  return Math.log10(place.population + 1) - Math.log10(Math.max(NEAR_KM, distanceKm(place, from)));
}

/** Whether a folded text is a whole name of the place. */
export function isCalled(place: Place, text: string): boolean {
  return namesOf(place).includes(text);
}

/** What the place is called in a language. */
export function placeName({ name, name_es }: Pick<Place, 'name' | 'name_es'>, language: string): string {
  return language.startsWith('es') ? (name_es ?? name) : name;
}

function namesOf({ name, name_es }: Place): string[] {
  return [name, name_es ?? ''].filter((text) => text !== '').map(foldPlaceName);
}

async function loadKnownPlaces(): Promise<Place[]> {
  const [saved, seen] = await Promise.all([loadSavedPlaces(), loadSeenPlaces()]);
  return [...seen, ...saved];
}

async function loadSeenPlaces(): Promise<Place[]> {
  const seen = await loadMetadata(SEEN_KEY);
  return Array.isArray(seen) ? (seen as Place[]) : [];
}

/** Towns that were saved for times without network. */
async function loadSavedPlaces(): Promise<Place[]> {
  const cities = await listSavedCities();
  return cities.flatMap(({ id, name, name_es, country, latitude, longitude, radius_km }) =>
    // A town that somebody saved is a town that they mean.
    name === null ? [] : [{ id, name, name_es, country, latitude, longitude, radius_km, population: SAVED_POPULATION }],
  );
}
