import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** The server's search knows new centers within five seconds; one with very many, half a minute after other changes. */
const SEARCH_DELAYS_MS = [0, 3_000, 6_000, 45_000];

/** Lets lists of centers be searched again once a load has ended: those that it added appear. */
export function useSearchAgain(is_done: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!is_done) return;
    // Also after the screen was left, for the list.
    for (const delay_ms of SEARCH_DELAYS_MS)
      setTimeout(() => void queries.invalidateQueries({ queryKey: ['sport-centers'] }), delay_ms);
  }, [is_done, queries]);
}
