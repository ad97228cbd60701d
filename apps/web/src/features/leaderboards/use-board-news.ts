import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveEvents } from '#web/shared/live/use-live-events.ts';
import { refetchLeaderboards } from './queries.ts';

/** A competition confirms many at once; the board is read again at most this often. */
const REFETCH_EVERY_MS = 1_000;

/** Reads the boards on the screen again when the server says that one has changed. */
export function useBoardNews(): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const last_at = useRef(Number.NEGATIVE_INFINITY);
  useLiveEvents((news) => {
    if (news.type !== 'leaderboard_changed' && !(news.type === 'opened' && !news.resumed)) return;
    if (timer.current !== null) return;
    // The first at once, for somebody may be waiting for it; those that follow together.
    const wait_ms = Math.max(0, last_at.current + REFETCH_EVERY_MS - performance.now());
    timer.current = setTimeout(() => {
      timer.current = null;
      last_at.current = performance.now();
      refetchLeaderboards(queries);
    }, wait_ms);
  });
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
}
