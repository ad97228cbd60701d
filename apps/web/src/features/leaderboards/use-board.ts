import type { LeaderboardRow, SurroundingLeaderboard } from '@sendlap/contract/leaderboards.ts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { isUnreachable } from '#web/shared/api/errors.ts';
import type { BoardFilter } from './board-filter.ts';
import { type BoardPage, getLeaderboardQuery, getSurroundingQuery } from './queries.ts';

export interface Board {
  /** The first page; null: on its way, or it failed (`error`). */
  page: BoardPage | null;
  /** The rows of all pages so far. */
  rows: LeaderboardRow[];
  /** The board of the filter before still stands there. */
  is_other: boolean;
  error: unknown;
  retry: () => void;
  /** Reads the next page; null: there is none. */
  readMore: (() => void) | null;
  is_reading_more: boolean;
  /** The rows around mine; null: the pages reach me, or I am not on the board. */
  around: SurroundingLeaderboard | null;
  /** ms epoch of what is shown, where the server can't be reached; null: up to date. */
  outdated_at: number | null;
}

/** A board as far as it is read, with my own part of it. */
export function useBoard(user_id: string, filter: BoardFilter): Board {
  const query = useInfiniteQuery(getLeaderboardQuery(user_id, filter));
  const page = query.data?.pages[0] ?? null;
  const rows = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const last = rows.at(-1);
  const { me = null } = page ?? {};
  const is_beyond =
    me !== null && query.hasNextPage && !rows.some((row) => row.is_me) && me.points <= (last?.points ?? 0);
  const around = useQuery({ ...getSurroundingQuery(user_id, filter), enabled: is_beyond && !query.isPlaceholderData });
  return {
    page,
    rows,
    is_other: query.isPlaceholderData,
    error: page ? null : query.error,
    retry: () => void query.refetch(),
    readMore: query.hasNextPage ? () => void query.fetchNextPage() : null,
    is_reading_more: query.isFetchingNextPage,
    around: (is_beyond && around.data) || null,
    outdated_at: page?.cached_at ?? (query.isError && isUnreachable(query.error) ? query.dataUpdatedAt : null),
  };
}
