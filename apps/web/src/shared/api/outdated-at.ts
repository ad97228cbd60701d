import { isUnreachable } from './errors.ts';

interface Reading {
  isError: boolean;
  error: unknown;
  dataUpdatedAt: number;
}

/**
 * Returns when a page was fetched (ms epoch) that the server can't refresh now: a copy, or data read before the network
 * was lost.
 */
export function outdatedAt(
  page: { cached_at: number | null } | null,
  online: boolean,
  reading: Reading,
): number | null {
  if (!page || page.cached_at !== null) return page?.cached_at ?? null;
  return !online || (reading.isError && isUnreachable(reading.error)) ? reading.dataUpdatedAt : null;
}
