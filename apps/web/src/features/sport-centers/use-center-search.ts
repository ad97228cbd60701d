import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { type BoundingBox, boundingBox, type Position, sortByDistance } from '@sendlap/domain/geo.ts';
import { foldText } from '@sendlap/domain/names.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { type CenterSearch, searchSportCentersQuery } from './queries.ts';
import type { SearchState } from './search-store.ts';

/** Where the map should look. */
export interface Camera {
  box: BoundingBox;
  /** The user is looking there already: only a new map has to go there. */
  is_in_sight: boolean;
}

const TYPING_PAUSE_MS = 200;
/** As many pins a map still shows well; farther ones come with "Show more" or a closer look. */
const MAX_PINS = 300;
/** How many of the nearest the first view takes in. */
const IN_VIEW = 12;
const MIN_BOX_KM = 1;
/** Farther than so many times the third nearest is another place. */
const FAR_FACTOR = 3;

/** The centers of a search with exact distances, page by page, and where to look for them. */
export function useCenterSearch(state: SearchState) {
  const q = usePause(state.q.trim(), TYPING_PAUSE_MS);
  const search = toSearch(state, q);
  const query = useInfiniteQuery(searchSportCentersQuery(search));
  const { data, hasNextPage, isFetching, fetchNextPage, isPlaceholderData } = query;
  const from = state.origin;
  const items = useMemo(() => sortByDistance(data?.pages.flatMap((page) => page.items) ?? [], from), [data, from]);
  // A named area is shown whole, as far as a map can; "the nearest" ends somewhere anyway.
  const isArea = search.box !== null || search.radius_km !== null;
  const wantsMore = isArea && hasNextPage && !isFetching && !isPlaceholderData && items.length < MAX_PINS;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  const first = isPlaceholderData ? undefined : data?.pages[0];
  const camera = useCamera(search, first?.items);
  return {
    ...query,
    items,
    camera,
    q,
    total: data?.pages[0]?.total ?? 0,
    cached_at: data?.pages[0]?.cached_at ?? null,
  };
}

function toSearch({ origin, sport, open_to_all, radius_km, box }: SearchState, q: string): CenterSearch {
  const { latitude, longitude } = origin;
  return { from: { latitude, longitude }, q, sport, open_to_all, radius_km: box ? null : radius_km, box };
}

function useCamera(search: CenterSearch, found: FoundSportCenter[] | undefined): Camera | null {
  const { from, q, radius_km, box } = search;
  const { latitude, longitude } = from;
  return useMemo(() => {
    if (box) return { box, is_in_sight: true };
    const middle = { latitude, longitude };
    if (radius_km !== null) return { box: boundingBox(middle, radius_km), is_in_sight: false };
    if (!found) return null;
    if (q === '') return { box: around([middle, ...nearOnes(found)]), is_in_sight: false };
    const inCity = found.filter((center) => foldText(center.city ?? '') === foldText(q));
    const shown = inCity.length > 0 ? inCity : found.slice(0, IN_VIEW);
    return shown.length > 0 ? { box: around(shown), is_in_sight: false } : null;
  }, [latitude, longitude, q, radius_km, box, found]);
}

/** The first few, without those that are far compared with the nearest. */
function nearOnes(found: readonly FoundSportCenter[]): FoundSportCenter[] {
  const reach_km = Math.max(MIN_BOX_KM, FAR_FACTOR * (found[2]?.distance_km ?? found[0]?.distance_km ?? 0));
  return found.slice(0, IN_VIEW).filter(({ distance_km }) => (distance_km ?? 0) <= reach_km);
}

/** The smallest box around some places, at least 1 km wide. Places across the antimeridian get the long way round. */
function around(places: readonly Position[]): BoundingBox {
  const boxes = places.map((place) => boundingBox(place, MIN_BOX_KM / 2));
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  };
}

/** The value once it has rested for a moment. */
function usePause<Value>(value: Value, pause_ms: number): Value {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), pause_ms);
    return () => clearTimeout(timer);
  }, [value, pause_ms]);
  return rested;
}
