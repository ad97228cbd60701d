import {
  cancelStreetLoad,
  listStreetLoads,
  requestStreetLoad,
  type StreetLoad,
} from '@sendlap/contract/map/street-loads.ts';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#web/shared/api/client.ts';
import { serverProfileQuery } from './queries.ts';

const POLL_MS = 1_000;

/** The loads of streets, newest first; polled while one is under way. */
export const streetLoadsQuery = queryOptions({
  queryKey: ['street-loads'],
  queryFn: ({ signal }) => call(listStreetLoads, {}, { signal }),
  refetchOnMount: 'always',
  refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? POLL_MS : false),
});

export function isUnderWay({ status }: StreetLoad): boolean {
  return status === 'waiting' || status === 'fetching';
}

export function useRequestStreets() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (town_id: string) => call(requestStreetLoad, { body: { town_id } }),
    onSuccess: (load) => storeLoad(queries, load),
    // Another operator may have requested a load.
    onError: () => void queries.invalidateQueries({ queryKey: streetLoadsQuery.queryKey }),
  });
}

export function useCancelStreets() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(cancelStreetLoad, { params: { id } }),
    onSuccess: (load) => storeLoad(queries, load),
  });
}

/** Lets the maps of this device have the streets as soon as a load has ended well. */
export function useNewStreets(load: StreetLoad | undefined): void {
  const queries = useQueryClient();
  const done_id = load?.status === 'done' ? load.id : null;
  useEffect(() => {
    if (done_id === null) return;
    for (const queryKey of [serverProfileQuery.queryKey, ['map-config']]) void queries.invalidateQueries({ queryKey });
  }, [done_id, queries]);
}

function storeLoad(queries: QueryClient, load: StreetLoad): void {
  queries.setQueryData(streetLoadsQuery.queryKey, (list) => ({
    next_cursor: null,
    is_configured: list?.is_configured ?? false,
    items: [load, ...(list?.items ?? []).filter(({ id }) => id !== load.id)],
  }));
  void queries.invalidateQueries({ queryKey: streetLoadsQuery.queryKey });
}
