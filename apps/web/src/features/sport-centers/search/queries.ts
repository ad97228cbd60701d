import type { Hit } from '@sendlap/center-index/center-index.ts';
import {
  type FoundSportCenter,
  getSportCenter,
  type SportCenterDetail,
  searchSportCenters,
} from '@sendlap/contract/sport-centers.ts';
import type { Position } from '@sendlap/domain/geo.ts';
import type { CenterQuery } from '@sendlap/domain/sport-centers.ts';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { isUnreachable } from '#web/shared/api/errors.ts';
import type { Copy } from '#web/shared/copies/copies.ts';
import { SENT_POSITION_DIGITS } from '#web/shared/data/sent-position.ts';
import { searchCopies } from '#web/shared/local-db/center-search.ts';
import { loadSportCenter, saveSportCenters } from '#web/shared/local-db/sport-centers.ts';
import type { SearchLimits } from './search-url.ts';
import { ROWS_PER_BATCH } from './use-visible-rows.ts';

/** A search. Results are ordered by their distance from `from`. */
export interface CenterSearch extends SearchLimits {
  from: Position;
}

/** The cursor of the next page: the server's, or a position in the cached results. */
type NextPage = { cursor: string } | { after: Hit };

export interface CenterPage {
  items: FoundSportCenter[];
  next: NextPage | null;
  total: number;
  /** More centers than `total` match. */
  total_is_lower_bound: boolean;
  /** Age of the oldest copy shown (ms epoch); null: fresh from the server. */
  cached_at: number | null;
  /** The same of the copies that no saved city needs: they have a lifetime. */
  loose_at: number | null;
}

const PAGE_SIZE = 100;
const NO_PAGE: CenterPage = {
  items: [],
  next: null,
  total: 0,
  total_is_lower_bound: false,
  cached_at: null,
  loose_at: null,
};
/** How long a reply counts as fresh. */
const STALE_MS = 5 * 60_000;

/** A search, page by page; offline it is answered from the copies on this device. */
export function searchSportCentersQuery(search: CenterSearch) {
  return infiniteQueryOptions({
    queryKey: ['sport-centers', 'search', search],
    queryFn: ({ pageParam, signal }) => loadPage(search, pageParam, signal),
    initialPageParam: null as NextPage | null,
    getNextPageParam: (page: CenterPage) => page.next,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    // Cached results are always replaced by the server's as soon as it can be reached again.
    refetchOnReconnect: ({ state }) => (state.data?.pages[0]?.cached_at === null ? true : 'always'),
  });
}

/**
 * The results from this device's copies, shown while the request runs: as many as are drawn at once; null: no copies.
 */
export function searchCopiesQuery(search: CenterSearch) {
  return queryOptions({
    queryKey: ['sport-centers', 'copies', search],
    queryFn: () => loadCopies(search, null, ROWS_PER_BATCH),
    staleTime: 0,
    gcTime: 0,
  });
}

/** One center by id; also copied to this device. */
export function sportCenterQuery(id: string) {
  return queryOptions({
    queryKey: ['sport-centers', 'one', id],
    async queryFn({ signal }): Promise<SportCenterDetail> {
      // A manager may have changed it since the browser cached the reply.
      const center = await call(getSportCenter, { params: { id } }, { signal, revalidate: true });
      void saveSportCenters([center]);
      return center;
    },
    staleTime: STALE_MS,
  });
}

/** This device's copy of a center; null: none. */
export function sportCenterCopyQuery(id: string) {
  return queryOptions({
    queryKey: ['copy', 'sport-center', id],
    queryFn: (): Promise<Copy<SportCenterDetail> | null> => loadSportCenter(id),
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

/** A center from the latest searches, so that its page opens at once; undefined if no search found it. */
export function findCenterInResults(client: QueryClient, id: string): Copy<SportCenterDetail> | undefined {
  const searches = client.getQueryCache().findAll({ queryKey: ['sport-centers', 'search'] });
  for (const { state } of searches) {
    for (const page of (state.data as { pages: CenterPage[] } | undefined)?.pages ?? []) {
      const found = page.items.find((item) => item.id === id);
      if (!found) continue;
      const { distance_km: _, ...value } = found;
      return { value, cached_at: page.cached_at ?? state.dataUpdatedAt };
    }
  }
  return undefined;
}

async function loadPage(search: CenterSearch, next: NextPage | null, signal: AbortSignal): Promise<CenterPage> {
  if (next && 'after' in next) {
    return (await loadCopies(search, next.after, PAGE_SIZE)) ?? NO_PAGE;
  }
  if (!navigator.onLine) {
    const page = await loadCopies(search, null, PAGE_SIZE);
    if (page) return page;
  }
  try {
    const query = { ...toWire(search), ...(next ? { cursor: next.cursor } : {}) };
    // The centers of an area may have been loaded since the browser cached the reply.
    const options = { signal, revalidate: true };
    const { items, next_cursor, ...totals } = await call(searchSportCenters, { query }, options);
    void saveSportCenters(items.map(({ distance_km: _, ...center }) => center));
    return {
      items,
      next: next_cursor === null ? null : { cursor: next_cursor },
      ...totals,
      cached_at: null,
      loose_at: null,
    };
  } catch (error) {
    // A list from the server is not continued from the copies: they may have another order.
    const page = next === null && isUnreachable(error) ? await loadCopies(search, null, PAGE_SIZE) : null;
    if (page) return page;
    throw error;
  }
}

function toWire({ from, q, sport, open_to_all, country, city, radius_km, box }: CenterSearch) {
  const text = q.trim();
  return {
    // Rounded; the distances shown are computed here, from the exact position.
    latitude: from.latitude.toFixed(SENT_POSITION_DIGITS),
    longitude: from.longitude.toFixed(SENT_POSITION_DIGITS),
    sort: 'distance' as const,
    limit: String(PAGE_SIZE),
    ...(text ? { q: text } : {}),
    ...(sport ? { sport } : {}),
    ...(open_to_all ? { is_private: 'false' as const } : {}),
    ...(country ? { country } : {}),
    ...(city ? { city } : {}),
    ...(radius_km === null ? {} : { radius_km: String(radius_km) }),
    ...(box ? { bbox: [box.west, box.south, box.east, box.north].map((edge) => edge.toFixed(5)).join(',') } : {}),
  };
}

/** The same search over the copies on this device; null if there are no copies or they cannot be read. */
async function loadCopies(search: CenterSearch, after: Hit | null, limit: number): Promise<CenterPage | null> {
  const page = await searchCopies({ query: toCenterQuery(search), after, limit });
  if (!page || page.saved === 0) return null;
  // An empty page has no copies to take an age from, so it counts as of now.
  const { saved: _, next, cached_at, ...found } = page;
  return { ...found, next: next && { after: next }, cached_at: cached_at ?? Date.now() };
}

function toCenterQuery({ from, q, sport, open_to_all, country, city, radius_km, box }: CenterSearch): CenterQuery {
  return {
    ...from,
    sort: 'distance',
    q,
    ...(sport ? { sport } : {}),
    ...(open_to_all ? { is_private: false } : {}),
    ...(country ? { country } : {}),
    ...(city ? { city } : {}),
    ...(radius_km === null ? {} : { radius_km }),
    ...(box ? { bbox: box } : {}),
  };
}
