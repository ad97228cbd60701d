import { queryOptions, useQuery } from '@tanstack/react-query';
import { loadMapConfig, type MapConfig } from '#web/shared/copies/map-config.ts';

/** The operator's own map of streets: where it is drawn, how near, and whose it is. */
export type Streets = NonNullable<MapConfig['streets']>;

const STALE_MS = 3_600_000;

/** What the server's map can draw; without network as this device last heard. null: it never heard. */
function getMapConfigQuery() {
  return queryOptions({
    queryKey: ['map-config'],
    queryFn: () => loadMapConfig(),
    staleTime: STALE_MS,
  });
}

/** The streets that this server can draw, null while that is not known or there are none. */
export function useStreets(): Streets | null {
  return useQuery(getMapConfigQuery()).data?.streets ?? null;
}
