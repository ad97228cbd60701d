import {
  getLeaderboard,
  getSurrounding,
  Leaderboard,
  type SurroundingLeaderboard,
} from '@sendlap/contract/leaderboards.ts';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { createCopies } from '#web/shared/copies/copies.ts';
import { type BoardFilter, DEFAULT_BOARD } from './board-filter.ts';

const PAGE_SIZE = '50';
/** How long a reply counts as fresh. The live stream reports changes, so this matters only while the stream is down. */
const STALE_MS = 30_000;
const ALL = ['leaderboards'];

/** The first pages. */
export const board_copies = createCopies('leaderboard', Leaderboard);

function toQueryParams({ period, key, sport, sport_center_id, scope }: BoardFilter) {
  return {
    period,
    scope,
    ...(key ? { key } : {}),
    ...(sport ? { sport } : {}),
    ...(sport_center_id ? { sport_center_id } : {}),
  };
}

export function getLeaderboardQuery(user_id: string, filter: BoardFilter) {
  return infiniteQueryOptions({
    queryKey: [...ALL, user_id, 'board', filter],
    queryFn: ({ pageParam, signal }) => loadPage({ user_id, filter, cursor: pageParam, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Leaderboard) => page.next_cursor,
    staleTime: STALE_MS,
  });
}

export const boardPart = (filter: BoardFilter) => Object.values(toQueryParams(filter)).join();

interface PageRequest {
  user_id: string;
  filter: BoardFilter;
  cursor: string | null;
  signal: AbortSignal;
}

async function loadPage({ user_id, filter, cursor, signal }: PageRequest): Promise<Leaderboard> {
  const query = { ...toQueryParams(filter), limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
  const page = await call(getLeaderboard, { query }, { signal });
  // Only current boards are copied: copies of past ones would pile up.
  if (cursor === null && filter.key === null) board_copies.save(user_id, page, boardPart(filter));
  return page;
}

/**
 * Caches this week's board if this device has no copy yet, so that the ranks can be read offline before the user ever
 * opened them. Throws if the board cannot be loaded.
 */
export async function saveDefaultBoard(user_id: string, signal: AbortSignal): Promise<void> {
  const copy = await board_copies.load(user_id, boardPart(DEFAULT_BOARD));
  if (copy !== null || signal.aborted) return;
  await loadPage({ user_id, filter: DEFAULT_BOARD, cursor: null, signal });
}

/** The rows around the user, for a board whose loaded pages do not include the user's row. */
export function getSurroundingQuery(user_id: string, filter: BoardFilter) {
  return queryOptions({
    queryKey: [...ALL, user_id, 'surrounding', filter],
    queryFn: ({ signal }): Promise<SurroundingLeaderboard> =>
      call(getSurrounding, { query: toQueryParams(filter) }, { signal }),
    staleTime: STALE_MS,
  });
}

/** Marks all boards as stale: they are loaded again when they are next shown. */
export function markLeaderboardsStale(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ALL, refetchType: 'none' });
}

/** A board has changed: reloads those on the screen. */
export function refetchLeaderboards(queries: QueryClient): void {
  void queries.invalidateQueries({ queryKey: ALL });
}
