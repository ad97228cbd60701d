import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { type BoundingBox, sortByDistance } from '@sendlap/domain/geo.ts';
import { hasTypedWords } from '@sendlap/domain/sport-centers.ts';
import { replaceEqualDeep, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { isShowable, outdatedAt, type Reach } from '#web/shared/copies/choose-shown.ts';
import { useReach } from '#web/shared/copies/use-shown.ts';
import { useOnline } from '#web/shared/device/online.ts';
import { useDebouncedValue } from '#web/shared/ui/use-debounced-value.ts';
import { boxOfSearch } from './camera-box.ts';
import { type CenterPage, type CenterSearch, searchCopiesQuery, searchSportCentersQuery } from './queries.ts';
import type { SearchState } from './search-store.ts';
import { hasRegion } from './search-url.ts';

/** The view that the map should show. */
export interface MapCamera {
  box: BoundingBox;
  /** The user is already looking at it: only a newly created map has to move there. */
  is_already_visible: boolean;
}

export interface CenterSearchResult {
  /** Nearest first, with exact distances. Until a search is answered, the results of the previous one. */
  items: FoundSportCenter[];
  total: number;
  /** More centers than `total` match. */
  total_is_lower_bound: boolean;
  /** When the oldest copy shown was saved (ms epoch); null: fresh from the server, or its answer is due. */
  cached_at: number | null;
  camera: MapCamera | null;
  /** Nothing to show yet. */
  is_pending: boolean;
  /** The server has not answered yet. */
  is_searching: boolean;
  error: Error | null;
  /** The radius had no center, and the user did not choose it: the nearest centers are shown. */
  is_widened: boolean;
  /** The nearest center, if not even that is near the origin: the list then must not claim to be around it. */
  far_nearest: FoundSportCenter | null;
  /** No center has the words as they were typed: these have similar ones. */
  is_similar: boolean;
  /** Distance in km of the nearest hidden results, and shows them; null: none are hidden. */
  far: { limit_km: number; show(): void } | null;
  has_more: boolean;
  is_loading_more: boolean;
  /** Loading the next page failed. */
  has_load_more_failed: boolean;
  loadMore(): void;
  retry(): void;
}

const TYPING_PAUSE_MS = 150;
/** The most pins that a map shows well; farther ones come with "Show more" or by zooming in. */
const MAX_PINS = 300;
/** A user who searches a town by name does not mean a street with that name farther away than this. */
const FAR_KM = 1_000;
/** A day trip: a center that is farther away is not "near". */
const NEAR_KM = 100;

/**
 * The centers of a search: first those saved on this device, then the server's results. Both have the same order, so
 * rows that are in both keep their position. `is_radius_soft`: the user did not choose the radius, so if it has no
 * center, the nearest ones are shown.
 */
export function useCenterSearch(state: SearchState, is_radius_soft: boolean): CenterSearchResult {
  const online = useOnline();
  const typed = state.q.trim();
  const debounced = useDebouncedValue(typed, TYPING_PAUSE_MS);
  // Without a text there is nothing to wait for.
  const q = typed === '' ? '' : debounced;
  const [widened_key, setWidenedKey] = useState<string | null>(null);
  const limited = toSearch(state, q);
  const key = JSON.stringify(limited);
  const isWidened = is_radius_soft && key === widened_key;
  const search = isWidened ? { ...limited, radius_km: null } : limited;
  const server_query = useInfiniteQuery(searchSportCentersQuery(search));
  const reach = useReach(server_query);
  const copies = useCopies({ ...search, q: typed }, reach);
  const { data, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage, isPlaceholderData } = server_query;
  const answer = isPlaceholderData || q !== typed ? undefined : data?.pages;
  if (is_radius_soft && !isWidened && limited.radius_km !== null && answer?.[0]?.total === 0) setWidenedKey(key);
  const pages = usePreviousWhileLoading(answer ?? copies, server_query.error !== null && q === typed);
  const found = useStableIdentity(useSorted(pages, state));
  const [far_shown_key, setFarShownKey] = useState<string | null>(null);
  const limit_km = isWidened && !isFar(found[0], NEAR_KM) ? NEAR_KM : FAR_KM;
  const isUnlimited = state.box !== null || hasRegion(state);
  const isLimited = !isUnlimited && far_shown_key !== key;
  const items = useMemo(() => (isLimited ? dropFarResults(found, limit_km) : found), [found, isLimited, limit_km]);
  const is_far_hidden = items.length < found.length;
  // Loads all pages of a limited area, up to MAX_PINS. Without a limit one page is enough: any cut-off is arbitrary.
  const isArea = search.box !== null || search.radius_km !== null;
  const shouldLoadMore = isArea && hasNextPage && !isFetching && !server_query.isError && found.length < MAX_PINS;
  useEffect(() => {
    if (shouldLoadMore) void fetchNextPage();
  }, [shouldLoadMore, fetchNextPage]);
  const first = isPlaceholderData ? undefined : data?.pages[0];
  return {
    items,
    total: is_far_hidden ? items.length : (pages?.[0]?.total ?? 0),
    total_is_lower_bound: !is_far_hidden && (pages?.[0]?.total_is_lower_bound ?? false),
    cached_at: answer
      ? (answer[0]?.cached_at ?? (online ? null : server_query.dataUpdatedAt || null))
      : outdatedAt(pages?.[0]?.cached_at ?? null, reach, Date.now()),
    camera: useMapCamera(search, first?.items),
    is_pending: pages === undefined && server_query.error === null,
    is_searching: answer === undefined && server_query.error === null,
    error: pages === undefined ? server_query.error : null,
    is_widened: isWidened,
    far_nearest: !isUnlimited && isFar(items[0], NEAR_KM) ? (items[0] ?? null) : null,
    is_similar: isSimilar(items[0], typed),
    far: is_far_hidden ? { limit_km, show: () => setFarShownKey(key) } : null,
    has_more: answer !== undefined && hasNextPage && !is_far_hidden,
    is_loading_more: isFetchingNextPage,
    has_load_more_failed: server_query.isFetchNextPageError,
    loadMore: () => void fetchNextPage(),
    retry: () => void server_query.refetch(),
  };
}

function toSearch({ origin, radius_km, box, ...state }: SearchState, q: string): CenterSearch {
  const { sport, open_to_all, country, city } = state;
  const from = { latitude: origin.latitude, longitude: origin.longitude };
  return { from, q, sport, open_to_all, country, city, radius_km: box ? null : radius_km, box };
}

/**
 * The results from this device's copies for exactly this search; undefined while loading, without results, or while the
 * server may still answer and one of them is past its lifetime.
 */
function useCopies(search: CenterSearch, reach: Reach): CenterPage[] | undefined {
  const { data } = useQuery(searchCopiesQuery(search));
  const is_shown =
    data && data.items.length > 0 && (data.loose_at === null || isShowable(data.loose_at, reach, Date.now()));
  return useMemo(() => (is_shown ? [data] : undefined), [data, is_shown]);
}

/** The answer, or the previous one while the next loads. A failed search shows nothing. */
function usePreviousWhileLoading(answer: CenterPage[] | undefined, has_failed: boolean): CenterPage[] | undefined {
  const [previous, setPrevious] = useState(answer);
  if (answer && answer !== previous) setPrevious(answer);
  return answer ?? (has_failed ? undefined : previous);
}

function useSorted(pages: CenterPage[] | undefined, { origin }: SearchState): FoundSportCenter[] {
  return useMemo(() => sortByDistance(pages?.flatMap((page) => page.items) ?? [], origin), [pages, origin]);
}

/** Keeps object identity for equal data, so that rows and pins do not re-render. */
function useStableIdentity<Value>(value: Value): Value {
  const [previous, setPrevious] = useState(value);
  const shared = replaceEqualDeep(previous, value);
  if (shared !== previous) setPrevious(shared);
  return shared;
}

function isFar(center: FoundSportCenter | undefined, limit_km: number): boolean {
  return (center?.distance_km ?? 0) > limit_km;
}

/** The search forgives typing errors only if no center has the words, so the first result tells. */
function isSimilar(center: FoundSportCenter | undefined, text: string): boolean {
  return center !== undefined && !hasTypedWords(center, text);
}

/**
 * Drops results over a distance away (default: 1,000 km) if nearer ones exist; else returns all. `items`: nearest first,
 * each with its distance from the search origin.
 */
export function dropFarResults(items: FoundSportCenter[], limit_km = FAR_KM): FoundSportCenter[] {
  const first_far = items.findIndex((center) => isFar(center, limit_km));
  return first_far > 0 ? items.slice(0, first_far) : items;
}

function useMapCamera(search: CenterSearch, found: FoundSportCenter[] | undefined): MapCamera | null {
  const { from, q, country, city, radius_km, box } = search;
  const { latitude, longitude } = from;
  return useMemo(() => {
    const shown = { from: { latitude, longitude }, q, country, city, radius_km, box };
    const view_box = boxOfSearch(shown, found && !hasRegion(shown) ? dropFarResults(found) : found);
    return view_box && { box: view_box, is_already_visible: box !== null };
  }, [latitude, longitude, q, country, city, radius_km, box, found]);
}
