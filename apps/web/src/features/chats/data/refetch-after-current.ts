import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';

/**
 * Refetches a query if a screen shows it; otherwise it is refetched when it is shown. Waits for a fetch in flight, whose response may be older than what has changed: if
 * every change restarted that fetch, it might never finish. `isDue` is asked after that fetch.
 */
export function refetchAfterCurrent(
  queries: QueryClient,
  queryKey: QueryKey,
  isDue: (state: Query['state']) => boolean = () => true,
): void {
  const query = queries.getQueryCache().find({ queryKey, exact: true });
  if (!query) return;
  const refetch = () => {
    if (isDue(query.state)) void queries.invalidateQueries({ queryKey, exact: true }, { cancelRefetch: false });
  };
  if (query.state.fetchStatus === 'fetching') query.promise?.then(refetch, refetch);
  else refetch();
}
