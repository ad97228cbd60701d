import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { type BoardFilter, concerns, FIRST_BOARD } from './board-filter.ts';
import { weekTurn } from './periods.ts';
import { outdateLeaderboards, refetchLeaderboards } from './queries.ts';

/** Boards that are open everywhere are not all read in the moment in which a week may be over. */
const READ_WITHIN_MS = 20_000;

/** Reads the boards on the screen again when the server says that this one has changed, and when a week may be over. */
export function useBoardNews(filter: BoardFilter = FIRST_BOARD): void {
  const queries = useQueryClient();
  useLiveRefetch(
    (news) => news.type === 'leaderboard_changed' && concerns(filter, news),
    () => refetchLeaderboards(queries),
  );
  const turn = weekTurn(useServerNow());
  const read_in = useRef(turn);
  useEffect(() => {
    if (read_in.current === turn) return;
    read_in.current = turn;
    outdateLeaderboards(queries);
    const timer = setTimeout(() => refetchLeaderboards(queries), Math.random() * READ_WITHIN_MS);
    return () => clearTimeout(timer);
  }, [turn, queries]);
}
