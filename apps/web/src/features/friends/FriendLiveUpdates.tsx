import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';
import { refetchFriends, refetchLoadedLists } from './people/queries.ts';

const REFETCH_EVENTS = ['friend_request_changed', 'friend_changed', 'resync'];

/** Refetches friends and requests on every screen when the live stream reports a change. */
export function FriendLiveUpdates() {
  const user = useUser();
  const queries = useQueryClient();
  useEffect(() => refetchLoadedLists(queries, user.id), [queries, user.id]);
  useLiveRefetch(
    ({ type }) => REFETCH_EVENTS.includes(type),
    () => void refetchFriends(queries, user.id),
  );
  return null;
}
