import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useUser } from '#web/shared/api/use-session.ts';
import { useLiveRefetch } from '#web/shared/live/use-live-refetch.ts';
import { refetchFriends, refetchKnown } from './people/queries.ts';

const NEWS = ['friend_request_changed', 'friend_changed', 'resync'];

/** Refetches friends and requests on every screen when the live stream reports a change. */
export function FriendNews() {
  const user = useUser();
  const queries = useQueryClient();
  useEffect(() => refetchKnown(queries, user.id), [queries, user.id]);
  useLiveRefetch(
    ({ type }) => NEWS.includes(type),
    () => void refetchFriends(queries, user.id),
  );
  return null;
}
