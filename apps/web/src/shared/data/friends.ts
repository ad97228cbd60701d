import { Friend, FriendRequest, listFriendRequests, listFriends } from '@sendlap/contract/friends.ts';
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../api/client.ts';
import { isUnreachable } from '../api/errors.ts';
import { useUser } from '../api/use-session.ts';
import { loadMetadata, saveMetadata } from '../copies/metadata.ts';
import { useCopy, useShown } from '../copies/use-copy.ts';
import { useLiveReady } from '../live/use-live-ready.ts';

/** `cached_at` (ms epoch): a copy on this device from that time, because the server is unreachable; null: fresh. */
export interface CachedList<Item> {
  items: Item[];
  cached_at: number | null;
}

/** The stream reports changes; this only matters while the stream is down. */
const STALE_MS = 30_000;
const FRIENDS_COPY = 'friends';
const REQUESTS_COPY = 'friend requests';

const FriendsCopy = z.object({ items: z.array(Friend), cached_at: z.number() });
const RequestsCopy = z.object({ items: z.array(FriendRequest), cached_at: z.number() });

/** Key prefix of all queries that are refetched when friends or requests change. */
export const friendsKey = (user_id: string) => ['friends', user_id];
const listKey = (user_id: string) => [...friendsKey(user_id), 'list'];
const requestsKey = (user_id: string) => [...friendsKey(user_id), 'requests'];

/** My friends, in the server's order by name; without the server the last copy on this device. */
export function friendsQuery(user_id: string) {
  return queryOptions({
    queryKey: listKey(user_id),
    async queryFn({ client, signal }): Promise<CachedList<Friend>> {
      try {
        const items = await call(listFriends, {}, { signal, expected_user_id: user_id });
        void saveMetadata(FRIENDS_COPY, { items, cached_at: Date.now() }, user_id);
        return { items, cached_at: null };
      } catch (error) {
        const cached = isUnreachable(error) && findInQueryCache<Friend>(client, listKey(user_id));
        if (cached) return cached;
        const copy = isUnreachable(error) ? FriendsCopy.safeParse(await loadMetadata(FRIENDS_COPY, user_id)) : null;
        if (!copy?.success) throw error;
        return copy.data;
      }
    },
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

/** Pending requests, sent and received, newest first; also copied to this device. */
export function friendRequestsQuery(user_id: string) {
  return queryOptions({
    queryKey: requestsKey(user_id),
    async queryFn({ client, signal }): Promise<CachedList<FriendRequest>> {
      try {
        const items = await call(listFriendRequests, {}, { signal, expected_user_id: user_id });
        void saveMetadata(REQUESTS_COPY, { items, cached_at: Date.now() }, user_id);
        return { items, cached_at: null };
      } catch (error) {
        const cached = isUnreachable(error) && findInQueryCache<FriendRequest>(client, requestsKey(user_id));
        if (cached) return cached;
        const copy = isUnreachable(error) ? RequestsCopy.safeParse(await loadMetadata(REQUESTS_COPY, user_id)) : null;
        if (!copy?.success) throw error;
        return copy.data;
      }
    },
    staleTime: STALE_MS,
  });
}

/** Prefers the query on screen to the copy on this device: it already has changes since it was fetched. */
function findInQueryCache<Item>(client: QueryClient, queryKey: string[]): CachedList<Item> | null {
  const { data, dataUpdatedAt = 0 } = client.getQueryState<CachedList<Item>>(queryKey) ?? {};
  return data ? { items: data.items, cached_at: data.cached_at ?? dataUpdatedAt } : null;
}

/** The signed-in user's friends, kept up to date; this device's copy until they come. */
export function useFriends() {
  const { id } = useUser();
  const query = useQuery({ ...friendsQuery(id), enabled: useLiveReady() });
  return { ...query, ...useShown<CachedList<Friend>>(query, useCopy(FRIENDS_COPY, id, FriendsCopy)) };
}

/** The signed-in user's friend requests, kept up to date; this device's copy until they come. */
export function useFriendRequests() {
  const { id } = useUser();
  const query = useQuery({ ...friendRequestsQuery(id), enabled: useLiveReady() });
  return { ...query, ...useShown<CachedList<FriendRequest>>(query, useCopy(REQUESTS_COPY, id, RequestsCopy)) };
}
