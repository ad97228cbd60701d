import { useQueryClient } from '@tanstack/react-query';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';
import { type BoardFilter, concerns, FIRST_BOARD } from './board-filter.ts';
import { refetchLeaderboards } from './queries.ts';

/** Reads the boards on the screen again when the server says that this one has changed. */
export function useBoardNews(filter: BoardFilter = FIRST_BOARD): void {
  const queries = useQueryClient();
  useLiveRefetch(
    (news) => news.type === 'leaderboard_changed' && concerns(filter, news),
    () => refetchLeaderboards(queries),
  );
}
