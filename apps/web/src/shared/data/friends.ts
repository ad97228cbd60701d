import { Friend, FriendRequest, listFriendRequests, listFriends } from '@sendlap/contract/friends.ts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { call } from '../api/client.ts';
import { useUser } from '../api/use-session.ts';
import { createCopies } from '../copies/copies.ts';
import { useShown } from '../copies/use-shown.ts';
import { useLiveReady } from '../live/use-live-ready.ts';

/** How long a reply counts as fresh. The live stream reports changes, so this matters only while the stream is down. */
const STALE_MS = 30_000;
export const friend_copies = createCopies('friends', z.array(Friend));
const request_copies = createCopies('friend requests', z.array(FriendRequest));

/** Key prefix of all queries that are refetched when friends or requests change. */
export const friendsKey = (user_id: string) => ['friends', user_id];

/** My friends, in the server's order by name; also copied to this device. */
export function friendsQuery(user_id: string) {
  return queryOptions({
    queryKey: [...friendsKey(user_id), 'list'],
    async queryFn({ signal }) {
      const friends = await call(listFriends, {}, { signal, expected_user_id: user_id });
      friend_copies.save(user_id, friends);
      return friends;
    },
    staleTime: STALE_MS,
    refetchOnMount: 'always',
  });
}

/** Pending requests, sent and received, newest first; also copied to this device. */
export function friendRequestsQuery(user_id: string) {
  return queryOptions({
    queryKey: [...friendsKey(user_id), 'requests'],
    async queryFn({ signal }) {
      const requests = await call(listFriendRequests, {}, { signal, expected_user_id: user_id });
      request_copies.save(user_id, requests);
      return requests;
    },
    staleTime: STALE_MS,
  });
}

/** The signed-in user's friends, kept up to date; this device's copy until they come. */
export function useFriends() {
  const { id } = useUser();
  const query = useQuery({ ...friendsQuery(id), enabled: useLiveReady() });
  return { ...query, ...useShown(query, useQuery(friend_copies.query(id)).data) };
}

/** The signed-in user's friend requests, kept up to date; this device's copy until they come. */
export function useFriendRequests() {
  const { id } = useUser();
  const query = useQuery({ ...friendRequestsQuery(id), enabled: useLiveReady() });
  return { ...query, ...useShown(query, useQuery(request_copies.query(id)).data) };
}
