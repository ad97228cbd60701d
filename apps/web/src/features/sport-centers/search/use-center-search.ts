import type { FoundSportCenter } from '@sendlap/contract/sport-centers.ts';
import { type BoundingBox, sortByDistance } from '@sendlap/domain/geo.ts';
import { replaceEqualDeep, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useOnline } from '#web/shared/device/online.ts';
import { boxOfSearch } from './camera-box.ts';
import { nearResults } from './far-results.ts';
import { type CenterPage, type CenterSearch, searchCopiesQuery, searchSportCentersQuery } from './queries.ts';
import type { SearchState } from './search-store.ts';
import { useRested } from './use-rested.ts';

/** The view that the map should show. */
export interface Camera {
  box: BoundingBox;
  /** The user is already looking at it: only a newly created map has to move there. */
  is_in_sight: boolean;
}

export interface CenterSearchResult {
  /** Nearest first, with exact distances. Until a search is answered, the results of the previous one. */
  items: FoundSportCenter[];
  total: number;
  /** More centers than `total` match. */
  total_is_lower_bound: boolean;
  /** Age of the oldest copy shown (ms epoch); null: fresh from the server. */
  cached_at: number | null;
  /** The text sent to the server; debounced, so it lags behind the typed text. */
  q: string;
  camera: Camera | null;
  /** Nothing to show yet. */
  is_pending: boolean;
  /** The server has not answered yet. */
  is_searching: boolean;
  error: Error | null;
  /** Shows the results over 1,000 km away too; null: no such results are hidden. */
  showFar: (() => void) | null;
  has_more: boolean;
  is_loading_more: boolean;
  /** Loading the next page failed. */
  has_more_failed: boolean;
  loadMore(): void;
  retry(): void;
}

const TYPING_PAUSE_MS = 150;
/** The most pins that a map shows well; farther ones come with "Show more" or by zooming in. */
const MAX_PINS = 300;

/**
 * The centers of a search: first those saved on this device, then the server's results. Both have the same order, so
 * rows that are in both keep their position.
 */
export function useCenterSearch(state: SearchState): CenterSearchResult {
  const online = useOnline();
  const typed = state.q.trim();
  const q = useRested(typed, TYPING_PAUSE_MS);
  const search = toSearch(state, q);
  const asked = useInfiniteQuery(searchSportCentersQuery(search));
  const copies = useCopies(toSearch(state, typed));
  const { data, hasNextPage, isFetching, isFetchingNextPage, fetchNextPage, isPlaceholderData } = asked;
  const answer = isPlaceholderData || q !== typed ? undefined : data?.pages;
  const pages = useKept(answer ?? copies, asked.error !== null && q === typed);
  const found = useShared(useSorted(pages, state));
  const [far_shown_for, setFarShownFor] = useState<string | null>(null);
  const items = useMemo(
    () => (typed === '' || far_shown_for === typed ? found : nearResults(found)),
    [found, typed, far_shown_for],
  );
  const is_far_hidden = items.length < found.length;
  // Loads all pages of a bounded area, up to MAX_PINS; "the nearest" is an arbitrary cut anyway.
  const isArea = search.box !== null || search.radius_km !== null;
  const wantsMore = isArea && hasNextPage && !isFetching && !asked.isError && found.length < MAX_PINS;
  useEffect(() => {
    if (wantsMore) void fetchNextPage();
  }, [wantsMore, fetchNextPage]);
  const first = isPlaceholderData ? undefined : data?.pages[0];
  return {
    items,
    total: is_far_hidden ? items.length : (pages?.[0]?.total ?? 0),
    total_is_lower_bound: !is_far_hidden && (pages?.[0]?.total_is_lower_bound ?? false),
    cached_at: pages?.[0]?.cached_at ?? (online ? null : asked.dataUpdatedAt || null),
    q,
    camera: useCamera(search, first?.items),
    is_pending: pages === undefined && asked.error === null,
    is_searching: answer === undefined && asked.error === null,
    error: pages === undefined ? asked.error : null,
    showFar: is_far_hidden ? () => setFarShownFor(typed) : null,
    has_more: answer !== undefined && hasNextPage && !is_far_hidden,
    is_loading_more: isFetchingNextPage,
    has_more_failed: asked.isFetchNextPageError,
    loadMore: () => void fetchNextPage(),
    retry: () => void asked.refetch(),
  };
}

function toSearch({ origin, sport, open_to_all, radius_km, box }: SearchState, q: string): CenterSearch {
  const { latitude, longitude } = origin;
  return { from: { latitude, longitude }, q, sport, open_to_all, radius_km: box ? null : radius_km, box };
}

/** The results from this device's copies for exactly this search; undefined while loading, or without results. */
function useCopies(search: CenterSearch): CenterPage[] | undefined {
  const { data } = useQuery(searchCopiesQuery(search));
  return useMemo(() => (data && data.items.length > 0 ? [data] : undefined), [data]);
}

/** The answer, or the previous one while the next loads. A failed search shows nothing. */
function useKept(answer: CenterPage[] | undefined, is_refused: boolean): CenterPage[] | undefined {
  const [kept, setKept] = useState(answer);
  if (answer && answer !== kept) setKept(answer);
  return answer ?? (is_refused ? undefined : kept);
}

function useSorted(pages: CenterPage[] | undefined, { origin }: SearchState): FoundSportCenter[] {
  return useMemo(() => sortByDistance(pages?.flatMap((page) => page.items) ?? [], origin), [pages, origin]);
}

/** Keeps object identity for equal data: its rows and pins are not drawn again. */
function useShared<Value>(value: Value): Value {
  const [kept, setKept] = useState(value);
  const shared = replaceEqualDeep(kept, value);
  if (shared !== kept) setKept(shared);
  return shared;
}

function useCamera(search: CenterSearch, found: FoundSportCenter[] | undefined): Camera | null {
  const { from, q, radius_km, box } = search;
  const { latitude, longitude } = from;
  return useMemo(() => {
    const near = q === '' ? found : found && nearResults(found);
    const looked_at = boxOfSearch({ from: { latitude, longitude }, q, radius_km, box }, near);
    return looked_at && { box: looked_at, is_in_sight: box !== null };
  }, [latitude, longitude, q, radius_km, box, found]);
}
