import { type FoundTown, searchTowns, type Town } from '@sendlap/contract/towns.ts';
import { distanceKm, type Position } from '@sendlap/domain/geo.ts';
import { foldTownName, matchTown, type TownMatch } from '@sendlap/domain/towns.ts';
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
/** Stored on devices under this name. */
const SEEN_KEY = 'places-seen';
const MAX_SEEN = 60;
/** Ranks saved towns first among otherwise equal ones. */
const SAVED_POPULATION = Number.MAX_SAFE_INTEGER;
/** How long a reply counts as fresh. */
const STALE_MS = 24 * 3_600_000;

/** Towns on the server whose name begins with a folded text. The results are stored, so that they are known offline. */
export function searchTownsQuery(text: string, user_id: string | null) {
  return queryOptions({
    queryKey: ['towns', 'search', text],
    queryFn: async ({ signal }) => {
      const { items } = await call(searchTowns, { query: { q: text, limit: REQUEST_LIMIT } }, { signal });
      const towns = items.slice(0, MAX_SUGGESTIONS).map(({ match: _, ...town }) => town);
      if (user_id !== null) void rememberTowns(towns, user_id);
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
    queryKey: ['towns', 'known'],
    queryFn: loadCachedTowns,
    staleTime: 0,
  });
}

/** Returns the town in an address: from this device, else from the server; null if neither knows it now. */
export async function findTown({ id, name }: TownReference): Promise<Town | null> {
  const cached = (await loadCachedTowns()).find((town) => town.id === id);
  if (cached) return cached;
  try {
    const { items } = await call(searchTowns, { query: { q: name, limit: '20' } });
    return items.find((town) => town.id === id) ?? items.find((town) => hasName(town, foldTownName(name))) ?? null;
  } catch {
    return null;
  }
}

/** Stores towns under the user's id: the searches of a user are private. */
export async function rememberTowns(towns: readonly Town[], user_id: string): Promise<void> {
  const seen = await loadSeenTowns();
  const older = seen.filter(({ id }) => towns.every((town) => town.id !== id));
  await saveMetadata(SEEN_KEY, [...towns, ...older].slice(0, MAX_SEEN), user_id);
}

/** The towns that a text may name. */
export interface TownSources {
  /** The server's answer for exactly this text; null until it is here, and offline. */
  answered: readonly FoundTown[] | null;
  /** Towns that this device knows. */
  cached: readonly Town[];
}

/**
 * Suggestions for a folded text: from the server's answer if it is here; until then, and offline, the cached towns that
 * begin with the text, or that it misspells. Whole names come first, then big and near towns.
 */
export function suggestTowns(text: string, { from, ...sources }: TownSources & { from: Position }): Town[] {
  return rankTowns(text, sources, from)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ town }) => town);
}

interface RankedTown {
  town: Town;
  match: TownMatch;
}

/** Returns the towns that a folded text names, the likeliest first. */
function rankTowns(text: string, { answered, cached }: TownSources, from: Position): RankedTown[] {
  if (text.length < MIN_LETTERS) return [];
  const distinct = new Map((answered ?? cached).map((town: FoundTown) => [town.id, town]));
  const named = [...distinct.values()].flatMap((town) => {
    const own = matchTown({ names: namesOf(town), other_names: [] }, text);
    // The server knows more names than the town has.
    const match = answered ? (town.match ?? own ?? 'beginning') : own;
    return match ? [{ town, match, weight: weigh(town, from) }] : [];
  });
  const isMisspelt = named.every(({ match }) => match === 'typo');
  return named
    .filter(({ match }) => isMisspelt || match !== 'typo')
    .sort((a, b) => Number(b.match === 'name') - Number(a.match === 'name') || b.weight - a.weight);
}

/**
 * A town alone may also be the name of a center: it must be bigger than a hamlet, and spelt right. A user who types the
 * name of a center does not mean a hamlet with the same name.
 */
export const MIN_POPULATION = 5000;
/**
 * People per km beyond NEAR_KM that make a town likely to be meant: Bilbao is, everywhere in the world; Central in
 * Louisiana is not in Europe.
 */
const PEOPLE_PER_KM = 20;

/** Returns the town that a folded text names beside a sport, or alone; null: none that is likely to be meant. */
export function recogniseTown(
  text: string,
  { from, is_alone, ...sources }: TownSources & { from: Position; is_alone: boolean },
): Town | null {
  const isLikely = ({ town, match }: RankedTown) => {
    if (match === 'beginning' || (is_alone && (match === 'typo' || town.population < MIN_POPULATION))) return false;
    return town.population >= PEOPLE_PER_KM * (distanceKm(town, from) - NEAR_KM);
  };
  return rankTowns(text, sources, from).find(isLikely)?.town ?? null;
}

/** A town ten times as far must be ten times as big to rank the same. */
function weigh(town: Town, from: Position): number {
  return Math.log10(town.population + 1) - Math.log10(Math.max(NEAR_KM, distanceKm(town, from)));
}

/** Whether a folded text is the full name of the town. */
export function hasName(town: Town, text: string): boolean {
  return namesOf(town).includes(text);
}

function namesOf({ name, name_es }: Town): string[] {
  return [name, name_es ?? ''].filter((text) => text !== '').map(foldTownName);
}

async function loadCachedTowns(): Promise<Town[]> {
  const [saved, seen] = await Promise.all([loadSavedTowns(), loadSeenTowns()]);
  return [...seen, ...saved];
}

async function loadSeenTowns(): Promise<Town[]> {
  const seen = await loadMetadata(SEEN_KEY);
  return Array.isArray(seen) ? (seen as Town[]) : [];
}

/** Towns that were saved for offline use. */
async function loadSavedTowns(): Promise<Town[]> {
  const cities = await listSavedCities();
  return cities.flatMap(({ id, name, name_es, country, latitude, longitude, radius_km }) =>
    // A town that the user saved is likely the one they mean.
    name === null ? [] : [{ id, name, name_es, country, latitude, longitude, radius_km, population: SAVED_POPULATION }],
  );
}
