import {
  acceptFriendRequest,
  type Block,
  blockUser,
  cancelFriendRequest,
  declineFriendRequest,
  type Friend,
  type FriendRequest,
  listBlocks,
  removeFriend,
  requestFriend,
  searchFriend,
  unblockUser,
} from '@sendlap/contract/friends.ts';
import { type ReportReason, reportUser } from '@sendlap/contract/reports.ts';
import { mutationOptions, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/shared/api/client.ts';
import { friendRequestsQuery, friendsKey, friendsQuery } from '#web/shared/data/friends.ts';

const blocksKey = (user_id: string) => ['friend-blocks', user_id];

/** Refetches friends, requests and blocks after a change. Resolves when those on the screen are fresh. */
export async function refetchFriends(queries: QueryClient, user_id: string): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: friendsKey(user_id) }),
    queries.invalidateQueries({ queryKey: blocksKey(user_id) }),
  ]);
}

/**
 * A new stream listener has missed the changes since the lists were requested, so it refetches them. A list that failed
 * is retried where its error is shown.
 */
export function refetchLoadedLists(queries: QueryClient, user_id: string): void {
  void queries.invalidateQueries({ queryKey: friendsKey(user_id), predicate: ({ state }) => state.status !== 'error' });
}

/** For `onSettled`: a successful change waits until the lists are refetched; a failed one is reported at once. */
function refetchAfterChange(queries: QueryClient, user_id: string) {
  return (_data: unknown, error: Error | null) => {
    const refetch = refetchFriends(queries, user_id);
    return error === null ? refetch : undefined;
  };
}

/** Finds the user with exactly this public id. Not cached: an id can pass to another user. */
export function searchFriendQuery(user_id: string, public_id: string) {
  return queryOptions({
    queryKey: ['friend-search', user_id, public_id],
    queryFn: ({ signal }) => call(searchFriend, { body: { public_id } }, { signal, expected_user_id: user_id }),
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The users I have blocked, newest first. Refetched at every visit. */
export function listBlocksQuery(user_id: string) {
  return queryOptions({
    queryKey: blocksKey(user_id),
    queryFn: ({ signal }) => call(listBlocks, {}, { signal, expected_user_id: user_id }),
    staleTime: 0,
  });
}

/** Sends a friend request; if that user has already sent me one, both are friends at once. */
export function useRequestFriend(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (receiver_public_id: string) =>
      call(requestFriend, { body: { receiver_public_id } }, idempotentOptions(user_id)),
    onSuccess(answer) {
      if (answer.status === 'accepted') addFriend(queries, user_id, answer.friend);
      else changeRequests(queries, user_id, (items) => [answer.request, ...withoutRequest(items, answer.request.id)]);
    },
    onSettled: refetchAfterChange(queries, user_id),
  });
}

export function useAcceptRequest(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(acceptFriendRequest, { params: { id } }, idempotentOptions(user_id)),
    onSuccess(friend, id) {
      changeRequests(queries, user_id, (items) => withoutRequest(items, id));
      addFriend(queries, user_id, friend);
    },
    onSettled: refetchAfterChange(queries, user_id),
  });
}

/** Declines a request to me as an optimistic update: its row is removed at once and restored if the server refuses. */
export function useDeclineRequest(user_id: string) {
  return useEndRequest(user_id, (id) => call(declineFriendRequest, { params: { id } }, idempotentOptions(user_id)));
}

/** Cancels a request of mine, also as an optimistic update. */
export function useCancelRequest(user_id: string) {
  return useEndRequest(user_id, (id) => call(cancelFriendRequest, { params: { id } }, { expected_user_id: user_id }));
}

function useEndRequest(user_id: string, send: (id: string) => Promise<unknown>) {
  return useMutation(endRequestOptions(useQueryClient(), user_id, send));
}

export function endRequestOptions(queries: QueryClient, user_id: string, send: (id: string) => Promise<unknown>) {
  const { queryKey } = friendRequestsQuery(user_id);
  return mutationOptions({
    mutationFn: send,
    async onMutate(id: string) {
      await queries.cancelQueries({ queryKey });
      const removed = queries.getQueryData(queryKey)?.find((item) => item.id === id);
      changeRequests(queries, user_id, (items) => withoutRequest(items, id));
      return removed;
    },
    // Restored here and not by the server's list: after a network failure that list may take a while.
    onError(_error, id, removed) {
      if (removed) changeRequests(queries, user_id, (items) => newestFirst([removed, ...withoutRequest(items, id)]));
    },
    // Success or not, the server's lists decide. Both are refetched, as a relation is derived from the two.
    onSettled: refetchAfterChange(queries, user_id),
  });
}

/** Ends a friendship by the friendship's id. */
export function useRemoveFriend(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(removeFriend, { params: { id } }, { expected_user_id: user_id }),
    onSuccess: (_, id) => changeFriends(queries, user_id, (items) => items.filter((item) => item.id !== id)),
    onSettled: refetchAfterChange(queries, user_id),
  });
}

/** Blocks a user and, as the server does, removes the user's friendship and requests. */
export function useBlockUser(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (blocked_id: string) => call(blockUser, { body: { user_id: blocked_id } }, idempotentOptions(user_id)),
    onSuccess(_, blocked_id) {
      changeFriends(queries, user_id, (items) => items.filter(({ friend_id }) => friend_id !== blocked_id));
      changeRequests(queries, user_id, (items) => items.filter(({ user }) => user.id !== blocked_id));
    },
    onSettled: refetchAfterChange(queries, user_id),
  });
}

export function useUnblockUser(user_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(unblockUser, { params: { id } }, { expected_user_id: user_id }),
    onSuccess: (_, id) =>
      queries.setQueryData<Block[]>(blocksKey(user_id), (items) => items?.filter((item) => item.id !== id)),
    onSettled: refetchAfterChange(queries, user_id),
  });
}

interface ReportInput {
  /** The same for each attempt to send this report. */
  client_id: string;
  user_id: string;
  reason: ReportReason;
  text: string;
}

/**
 * Creates ids for the attempts to send a report. The same content keeps its id, so a retry is the same report; changed
 * content gets a new id, since the server would refuse it under the first.
 */
export function createReportIds(makeId: () => string): (content: string) => string {
  let last: { content: string; id: string } | null = null;
  return (content) => {
    if (last?.content !== content) last = { content, id: makeId() };
    return last.id;
  };
}

/** Reports a user to the operator. */
export function useReportUser(user_id: string) {
  return useMutation({
    mutationFn: ({ text, ...report }: ReportInput) =>
      call(reportUser, { body: { ...report, ...(text === '' ? {} : { text }) } }, { expected_user_id: user_id }),
  });
}

function idempotentOptions(user_id: string) {
  return { expected_user_id: user_id, idempotency_key: crypto.randomUUID() };
}

function withoutRequest(items: FriendRequest[], id: string): FriendRequest[] {
  return items.filter((item) => item.id !== id);
}

function newestFirst(items: FriendRequest[]): FriendRequest[] {
  return items.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
}

type Change<Item> = (items: Item[]) => Item[];

function changeRequests(queries: QueryClient, user_id: string, change: Change<FriendRequest>): void {
  const { queryKey } = friendRequestsQuery(user_id);
  queries.setQueryData(queryKey, (items) => items && change(items));
}

function changeFriends(queries: QueryClient, user_id: string, change: Change<Friend>): void {
  const { queryKey } = friendsQuery(user_id);
  queries.setQueryData(queryKey, (items) => items && change(items));
}

function addFriend(queries: QueryClient, user_id: string, friend: Friend): void {
  changeFriends(queries, user_id, (items) => [...items.filter(({ id }) => id !== friend.id), friend]);
  changeRequests(queries, user_id, (items) => items.filter(({ user }) => user.id !== friend.friend_id));
}
