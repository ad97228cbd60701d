import { isUnreachable } from './errors.ts';

interface Reading {
  isError: boolean;
  error: unknown;
  dataUpdatedAt: number;
}

/** ms epoch of a page that the server can't bring up to date: a copy, or one that was read before the network went. */
export function outdatedAt(
  page: { cached_at: number | null } | null,
  online: boolean,
  reading: Reading,
): number | null {
  if (!page || page.cached_at !== null) return page?.cached_at ?? null;
  return !online || (reading.isError && isUnreachable(reading.error)) ? reading.dataUpdatedAt : null;
}
