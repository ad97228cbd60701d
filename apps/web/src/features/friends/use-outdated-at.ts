import { isUnreachable } from '#web/shared/api/errors.ts';
import { useOnline } from '#web/shared/device/online.ts';

interface Reading {
  data: { cached_at: number | null } | undefined;
  isError: boolean;
  error: unknown;
  dataUpdatedAt: number;
}

/** ms epoch of the oldest of several lists that the server can't bring up to date; null: all are fresh, or not there. */
export function useOutdatedAt(...readings: Reading[]): number | null {
  const online = useOnline();
  const moments = readings.flatMap(({ data, isError, error, dataUpdatedAt }) => {
    if (!data) return [];
    if (data.cached_at !== null) return [data.cached_at];
    return !online || (isError && isUnreachable(error)) ? [dataUpdatedAt] : [];
  });
  return moments.length === 0 ? null : Math.min(...moments);
}
