import {
  type FoundSportCenter,
  getSportCenter,
  type SportCenter,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import type { BoundingBox, Position } from '@sendlap/domain/geo.ts';
import type { Sport } from '@sendlap/domain/scoring.ts';
import { type CenterQuery, searchCenters } from '@sendlap/domain/sport-centers.ts';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { loadSportCenter, loadSportCenters, saveSportCenters } from '#web/shared/local-db/sport-centers.ts';

/** What a screen asks for. Everything comes nearest first, seen from `from`. */
export interface CenterSearch {
  from: Position;
  q: string;
  sport: Sport | null;
  /** Leaves out what is known to be private. */
  open_to_all: boolean;
  radius_km: number | null;
  box: BoundingBox | null;
}

export interface CenterPage {
  items: FoundSportCenter[];
  next_cursor: string | null;
  total: number;
  /** ms epoch of the oldest copy shown; null: straight from the server. */
  cached_at: number | null;
}

export interface OneCenter {
  center: SportCenter;
  cached_at: number | null;
}

const PAGE_SIZE = 100;
const STALE_MS = 5 * 60_000;
/** A position leaves the device rounded to about 100 m; the distances shown are counted here, from the exact one. */
const POSITION_DIGITS = 3;

/** Page after page of a search; without network it is answered from the copies on this device. */
export function searchSportCentersQuery(search: CenterSearch) {
  return infiniteQueryOptions({
    queryKey: ['sport-centers', 'search', search],
    queryFn: ({ pageParam, signal, client }) => loadPage(search, { cursor: pageParam, signal, client }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: CenterPage) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    // The copies on this device answer without a network, so a query must run without one.
    networkMode: 'always',
    retry: false,
  });
}

/** One center by id, from the server or, out of reach, from this device. */
export function sportCenterQuery(id: string) {
  return queryOptions({
    queryKey: ['sport-centers', 'one', id],
    queryFn: ({ signal }) => loadOne(id, signal),
    staleTime: STALE_MS,
    networkMode: 'always',
    retry: false,
  });
}

interface PageRequest {
  cursor: string | null;
  signal: AbortSignal;
  client: QueryClient;
}

async function loadPage(search: CenterSearch, { cursor, signal, client }: PageRequest): Promise<CenterPage> {
  if (!navigator.onLine) {
    const page = await searchCopies(search);
    if (page) return page;
  }
  try {
    const query = { ...toWire(search), ...(cursor ? { cursor } : {}) };
    const { items, next_cursor, total } = await call(searchSportCenters, { query }, { signal });
    const centers = items.map(({ distance_km: _, ...center }) => center);
    for (const center of centers)
      client.setQueryData(sportCenterQuery(center.id).queryKey, { center, cached_at: null });
    void saveSportCenters(centers);
    return { items, next_cursor, total, cached_at: null };
  } catch (error) {
    const page = isUnreachable(error) && (await searchCopies(search));
    if (page) return page;
    throw error;
  }
}

async function loadOne(id: string, signal: AbortSignal): Promise<OneCenter> {
  try {
    const center = await call(getSportCenter, { params: { id } }, { signal });
    void saveSportCenters([center]);
    return { center, cached_at: null };
  } catch (error) {
    const copy = isUnreachable(error) ? await loadSportCenter(id) : null;
    if (copy) return { center: copy.value, cached_at: copy.cached_at };
    throw error;
  }
}

function toWire({ from, q, sport, open_to_all, radius_km, box }: CenterSearch) {
  const text = q.trim();
  return {
    latitude: from.latitude.toFixed(POSITION_DIGITS),
    longitude: from.longitude.toFixed(POSITION_DIGITS),
    sort: 'distance' as const,
    limit: String(PAGE_SIZE),
    ...(text ? { q: text } : {}),
    ...(sport ? { sport } : {}),
    ...(open_to_all ? { is_private: 'false' as const } : {}),
    ...(radius_km === null ? {} : { radius_km: String(radius_km) }),
    ...(box ? { bbox: [box.west, box.south, box.east, box.north].map((edge) => edge.toFixed(5)).join(',') } : {}),
  };
}

/** The same search over the copies on this device; null where there are none at all. */
async function searchCopies(search: CenterSearch): Promise<CenterPage | null> {
  const copies = await loadSportCenters();
  if (copies.length === 0) return null;
  const items = searchCenters(
    copies.map((copy) => copy.value),
    toCenterQuery(search),
  );
  const cached_at = Math.min(...copies.map((copy) => copy.cached_at));
  return { items, next_cursor: null, total: items.length, cached_at };
}

function toCenterQuery({ from, q, sport, open_to_all, radius_km, box }: CenterSearch): CenterQuery {
  return {
    ...from,
    sort: 'distance',
    q,
    ...(sport ? { sport } : {}),
    ...(open_to_all ? { is_private: false } : {}),
    ...(radius_km === null ? {} : { radius_km }),
    ...(box ? { bbox: box } : {}),
  };
}
