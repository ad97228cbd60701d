import {
  type AreaLoad,
  cancelAreaLoad,
  isUnfinished,
  listAreaLoads,
  requestAreaLoad,
} from '@sendlap/contract/area-loads.ts';
import { redeemOperatorInvite } from '@sendlap/contract/operators.ts';
import { type ServerProfile, updateServerProfile } from '@sendlap/contract/server-profile.ts';
import { searchTowns } from '@sendlap/contract/towns.ts';
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { operatorRightQuery } from '#web/shared/data/operator-right.ts';
import { loadServerProfile, storeServerTown } from '#web/shared/data/server-profile.ts';

const POLL_MS = 1_000;
const TOWNS = '5';

/** Redeems the code of a set-up address. */
export function useRedeemInvite(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => call(redeemOperatorInvite, { body: { code } }, { expected_user_id: user_id }),
    onSuccess: (right) => queries.setQueryData(operatorRightQuery(user_id).queryKey, right),
    // The reply of a success may have been lost.
    onError: () => void queries.invalidateQueries({ queryKey: operatorRightQuery(user_id).queryKey }),
  });
}

export const serverProfileQuery = queryOptions({
  queryKey: ['server'],
  queryFn: ({ signal }) => loadServerProfile(signal),
  refetchOnMount: 'always',
});

interface ProfileChange {
  name?: string | null;
  town_id?: string;
  area_loads?: ServerProfile['area_loads'];
}

export function useUpdateServerProfile() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: ProfileChange) => call(updateServerProfile, { body: change }),
    onSuccess(profile) {
      storeServerTown(profile.town);
      queries.setQueryData<ServerProfile>(serverProfileQuery.queryKey, profile);
    },
  });
}

/** Towns whose name begins with the text. */
export function townsQuery(text: string) {
  return queryOptions({
    queryKey: ['towns', 'setup', text],
    queryFn: ({ signal }) => call(searchTowns, { query: { q: text, limit: TOWNS } }, { signal }),
    enabled: text.length >= 2,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The loads of sport centers, newest first; polled while one is under way. */
export const areaLoadsQuery = queryOptions({
  queryKey: ['area-loads'],
  queryFn: ({ signal }) => call(listAreaLoads, {}, { signal }),
  refetchOnMount: 'always',
  refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? POLL_MS : false),
});

/** Requests the sport centers of a town. */
export function useRequestLoad() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (town_id: string) => call(requestAreaLoad, { body: { town_id } }),
    onSuccess: (load) => storeLoad(queries, load),
  });
}

export function useCancelLoad() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(cancelAreaLoad, { params: { id } }),
    onSuccess: (load) => storeLoad(queries, load),
  });
}

function storeLoad(queries: QueryClient, load: AreaLoad): void {
  queries.setQueryData(areaLoadsQuery.queryKey, (list) => ({
    next_cursor: null,
    items: [load, ...(list?.items ?? []).filter(({ id }) => id !== load.id)],
  }));
  void queries.invalidateQueries({ queryKey: areaLoadsQuery.queryKey });
}
