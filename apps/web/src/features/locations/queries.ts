import { listPresentUsers } from '@sendlap/contract/locations.ts';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';

/** Somebody may have come or gone since. */
const STALE_MS = 60_000;

const presentKey = (user_id: string) => ['locations', user_id, 'present'];

/** Friends who are at a center and let me know. Kept nowhere: who was there an hour ago is no news. */
export function listPresentUsersQuery(user_id: string, sport_center_id: string) {
  return queryOptions({
    queryKey: [...presentKey(user_id), sport_center_id],
    queryFn: ({ signal }) =>
      call(listPresentUsers, { body: { sport_center_ids: [sport_center_id] } }, { signal, only_as: user_id }),
    staleTime: STALE_MS,
    refetchInterval: STALE_MS,
    gcTime: STALE_MS,
    retry: false,
  });
}

/** Somebody came or went: who is there on the screen is read again, also where it is being read for the first time. */
export function refetchPresentUsers(queries: QueryClient, user_id: string): void {
  void queries.invalidateQueries({ queryKey: presentKey(user_id) });
}
