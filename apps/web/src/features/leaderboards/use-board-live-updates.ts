import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';
import { useServerNow } from '#web/shared/time/use-now.ts';
import { type BoardFilter, DEFAULT_BOARD, isAffectedBy } from './board-filter.ts';
import { weekMarker } from './periods.ts';
import { markLeaderboardsStale, refetchLeaderboards } from './queries.ts';

/** Spreads the reloads when a week may have ended, so that not all open boards are loaded at the same moment. */
const REFETCH_SPREAD_MS = 20_000;

/**
 * Reloads the boards on the screen when the server reports that this one has changed, and when a week may have ended.
 */
export function useBoardLiveUpdates(filter: BoardFilter = DEFAULT_BOARD): void {
  const queries = useQueryClient();
  useLiveRefetch(
    (event) => event.type === 'leaderboard_changed' && isAffectedBy(filter, event),
    () => refetchLeaderboards(queries),
  );
  const week_marker = weekMarker(useServerNow());
  const fetched_marker = useRef(week_marker);
  useEffect(() => {
    if (fetched_marker.current === week_marker) return;
    fetched_marker.current = week_marker;
    markLeaderboardsStale(queries);
    const timer = setTimeout(() => refetchLeaderboards(queries), Math.random() * REFETCH_SPREAD_MS);
    return () => clearTimeout(timer);
  }, [week_marker, queries]);
}
