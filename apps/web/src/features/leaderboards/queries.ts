import {
  getLeaderboard,
  getSurrounding,
  Leaderboard,
  type SurroundingLeaderboard,
} from '@sendlap/contract/leaderboards.ts';
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '#web/shared/api/client.ts';
import { isUnreachable } from '#web/shared/api/errors.ts';
import { loadMetadata, saveMetadata } from '#web/shared/copies/metadata.ts';
import { type BoardFilter, DEFAULT_BOARD } from './board-filter.ts';

/** `cached_at` (ms epoch): when this device cached the copy, shown because the server is unreachable; null: fresh. */
export type BoardPage = Leaderboard & { cached_at: number | null };

const PAGE_SIZE = '50';
/** The live stream reports changed boards; this is only for when the stream is down. */
const STALE_MS = 30_000;
const ALL = ['leaderboards'];

export const BoardCopy = z.object({ page: Leaderboard, cached_at: z.number() });

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
    getNextPageParam: (page: BoardPage) => page.next_cursor,
    staleTime: STALE_MS,
  });
}

export const boardCopyKey = (filter: BoardFilter) => `leaderboard ${Object.values(toQueryParams(filter))}`;

interface PageRequest {
  user_id: string;
  filter: BoardFilter;
  cursor: string | null;
  signal: AbortSignal;
}

async function loadPage({ user_id, filter, cursor, signal }: PageRequest): Promise<BoardPage> {
  // Only current boards are cached: copies of past ones would pile up.
  const copy_key = cursor === null && filter.key === null ? boardCopyKey(filter) : null;
  try {
    const query = { ...toQueryParams(filter), limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
    const page = await call(getLeaderboard, { query }, { signal });
    if (copy_key !== null) void saveMetadata(copy_key, { page, cached_at: Date.now() }, user_id);
    return { ...page, cached_at: null };
  } catch (error) {
    const can_use_copy = copy_key !== null && isUnreachable(error);
    const copy = can_use_copy ? BoardCopy.safeParse(await loadMetadata(copy_key, user_id)) : null;
    if (!copy?.success) throw error;
    return { ...copy.data.page, next_cursor: null, cached_at: copy.data.cached_at };
  }
}

/**
 * Caches this week's board if this device has no copy yet, so that the ranks can be read offline before the user ever
 * opened them. Throws if the board cannot be loaded.
 */
export async function saveDefaultBoard(user_id: string, signal: AbortSignal): Promise<void> {
  const copy = await loadMetadata(boardCopyKey(DEFAULT_BOARD), user_id);
  if (copy !== undefined || signal.aborted) return;
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
