import { queryOptions, useQuery } from '@tanstack/react-query';
import { loadMapConfig, type MapConfig } from '#web/shared/copies/map-config.ts';

/** The operator's street map: its bounds, its zoom levels and its attribution. */
export type Streets = NonNullable<MapConfig['streets']>;

/** How long a reply counts as fresh. */
const STALE_MS = 3_600_000;

/** The server's map config; offline, the last one that this device loaded. null: never loaded. */
function getMapConfigQuery() {
  return queryOptions({
    queryKey: ['map-config'],
    queryFn: () => loadMapConfig(),
    staleTime: STALE_MS,
  });
}

/** The server's street map; null while it is unknown or if there is no street map. */
export function useStreets(): Streets | null {
  return useQuery(getMapConfigQuery()).data?.streets ?? null;
}
