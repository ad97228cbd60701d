import { isUnreachable } from './errors.ts';

interface QueryResult {
  isError: boolean;
  error: unknown;
  dataUpdatedAt: number;
}

/**
 * Returns when a page was fetched (ms epoch) that the server can't refresh now: a copy, or data read before the network
 * was lost.
 */
export function fetchedAtIfStale(
  page: { cached_at: number | null } | null,
  online: boolean,
  query: QueryResult,
): number | null {
  if (!page || page.cached_at !== null) return page?.cached_at ?? null;
  return !online || (query.isError && isUnreachable(query.error)) ? query.dataUpdatedAt : null;
}
