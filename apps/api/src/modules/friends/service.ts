import type { Block, FoundPerson, Friend, FriendRequest } from '@sendlap/contract/friends.ts';
import { compareNames } from '@sendlap/domain/names.ts';
import { userNotFound } from '#api/platform/errors.ts';
import { blockUser, unblockUser } from './blocks.ts';
import { removeFriend } from './friendships.ts';
import type { FriendContext } from './lock-pair.ts';
import { countLookUp } from './look-ups.ts';
import { presentBlock, presentFriend, presentPerson, presentRequest, relationOf } from './present.ts';
import { acceptRequest, endRequest, requestFriend } from './requests.ts';
import { canSeeUser, findByPublicId, listBlocks, listFriendIds, listFriends, listPendingRequests } from './store.ts';

export type FriendService = ReturnType<typeof createFriendService>;

/** Friendships; always mutual, never with oneself. */
export function createFriendService(context: FriendContext) {
  const { database } = context;
  return {
    /** In no particular order. */
    listFriendIds: (user_id: string) => listFriendIds(database, user_id),
    /** Whether this id is another known user: a locked account only if the two have had a relation. */
    canSeeUser: (user_id: string, other_id: string) => canSeeUser(database, user_id, other_id),
    /** By name, in English collation. */
    async listFriends(user_id: string): Promise<Friend[]> {
      const rows = await listFriends(database, user_id);
      return rows
        .map((row) => presentFriend(row.friendship_id, row))
        .sort((a, b) => compareNames(a.friend_name, b.friend_name, 'en') || (a.id < b.id ? -1 : 1));
    },
    /** Pending requests, newest first. */
    async listRequests(user_id: string): Promise<FriendRequest[]> {
      const rows = await listPendingRequests(database, user_id);
      return rows.map((row) => presentRequest({ ...row, id: row.request_id }, row));
    },
    /**
     * Finds the user with exactly this public id. Throws `user_not_found` and, beyond the daily look-up limit,
     * `too_many_requests`.
     */
    async searchFriend(user_id: string, public_id: string): Promise<FoundPerson> {
      await countLookUp(database, user_id, context.now());
      const found = await findByPublicId(database, user_id, public_id);
      if (!found) throw userNotFound();
      const { request_id, friendship_id } = found;
      return { ...presentPerson(found), relation: relationOf(found, user_id), request_id, friendship_id };
    },
    /**
     * `key`: the caller's idempotency key. Throws `user_not_found`, `cannot_befriend_self`, `friend_limit_reached`,
     * `too_many_requests`, `idempotency_mismatch`, `friend_request_decided`.
     */
    requestFriend: (user_id: string, input: { public_id: string; key: string | undefined }) =>
      requestFriend(context, user_id, input),
    /** Throws `friend_request_not_found`, `friend_request_decided`, `friend_limit_reached`. */
    acceptRequest: (user_id: string, id: string) => acceptRequest(context, user_id, id),
    /** Throws `friend_request_not_found`, `friend_request_decided`. */
    declineRequest: (user_id: string, id: string) => endRequest(context, user_id, { id, action: 'decline' }),
    /** As `declineRequest`, for the sender. */
    cancelRequest: (user_id: string, id: string) => endRequest(context, user_id, { id, action: 'cancel' }),
    /** By the id of the friendship. Throws `friend_not_found` if it never was the user's. */
    removeFriend: (user_id: string, id: string) => removeFriend(context, user_id, id),
    async listBlocks(user_id: string): Promise<Block[]> {
      return (await listBlocks(database, user_id)).map((row) => presentBlock(row, row.created_at));
    },
    /** Throws `user_not_found`. */
    blockUser: (user_id: string, other_id: string) => blockUser(context, user_id, other_id),
    unblockUser: (user_id: string, other_id: string) => unblockUser(context, user_id, other_id),
  };
}
