import {
  type Leaderboard,
  type LeaderboardRow,
  ROWS_EACH_SIDE,
  type SurroundingLeaderboard,
} from '@sendlap/contract/leaderboards.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useShown } from '#web/shared/copies/use-shown.ts';
import type { BoardFilter } from './board-filter.ts';
import { board_copies, boardPart, getLeaderboardQuery, getSurroundingQuery } from './queries.ts';

export interface Board {
  /** The first page; null: loading, or failed (see `error`). */
  page: Leaderboard | null;
  /** The page is this device's copy. */
  is_copy: boolean;
  /** The rows of all pages loaded so far. */
  rows: LeaderboardRow[];
  error: unknown;
  retry: () => void;
  /** Loads the next page; null: there is no further page. */
  loadMore: (() => void) | null;
  is_loading_more: boolean;
  /** Why loading the next page failed; null: it did not fail. */
  more_error: unknown;
  /** The rows around the user; null: the loaded pages include the user's row, or the user is not on the board. */
  around: SurroundingLeaderboard | null;
  /** How many rows `around` will have once it is loaded, for which there must be room; 0: none is due. */
  around_due: number;
  /** When the shown data was loaded (ms epoch), if it may be out of date; null: it is current. */
  outdated_at: number | null;
}

/** The first page of a board: the server's, or this device's copy until it comes. */
export function useFirstPage(user_id: string, filter: BoardFilter, enabled = true) {
  const query = useInfiniteQuery({ ...getLeaderboardQuery(user_id, filter), enabled });
  // Only current boards have copies.
  const copy = useQuery({ ...board_copies.query(user_id, boardPart(filter)), enabled: enabled && filter.key === null });
  return { query, ...useShown({ ...query, data: query.data?.pages[0] }, copy.data) };
}

function countAround(rank: number, total: number): number {
  return Math.min(ROWS_EACH_SIDE, rank - 1) + 1 + Math.min(ROWS_EACH_SIDE, Math.max(0, total - rank));
}

/** The loaded part of a board, and the user's own rank on it. */
export function useBoard(user_id: string, filter: BoardFilter): Board {
  const { query, data, is_copy, outdated_at } = useFirstPage(user_id, filter);
  const page = data ?? null;
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? page?.items ?? [];
  const last = rows.at(-1);
  const { me = null } = page ?? {};
  const is_listed = rows.some((row) => row.is_me);
  const is_below_loaded_rows = me !== null && query.hasNextPage && !is_listed && me.points <= (last?.points ?? 0);
  const around = useQuery({ ...getSurroundingQuery(user_id, filter), enabled: is_below_loaded_rows });
  // Without a network no answer is on its way, and a hidden user is on no board.
  const is_below_copy = is_copy && query.isFetching && me !== null && !page?.hidden && !is_listed;
  const is_around_due = is_below_copy || (is_below_loaded_rows && around.isFetching && !around.data);
  return {
    page,
    is_copy,
    rows,
    error: page ? null : query.error,
    retry: () => void query.refetch(),
    loadMore: query.hasNextPage ? () => void query.fetchNextPage() : null,
    is_loading_more: query.isFetchingNextPage,
    more_error: query.isFetchNextPageError ? query.error : null,
    around: (is_below_loaded_rows && around.data) || null,
    around_due: is_around_due && page ? countAround(me.rank, page.total) : 0,
    outdated_at,
  };
}
