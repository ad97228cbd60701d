import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { type BoardFilter, concerns, FIRST_BOARD } from './board-filter.ts';
import { weekTurn } from './periods.ts';
import { outdateLeaderboards, refetchLeaderboards } from './queries.ts';

/** Spreads the reloads when a week may have ended, so that not all open boards are loaded at the same moment. */
const READ_WITHIN_MS = 20_000;

/**
 * Reloads the boards on the screen when the server reports that this one has changed, and when a week may have ended.
 */
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
