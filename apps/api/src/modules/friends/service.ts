import type { Block, FoundPerson, Friend, FriendRequest } from '@sendlap/contract/friends.ts';
import { compareNames } from '@sendlap/domain/names.ts';
import { blockUser, unblockUser } from './blocks.ts';
import { removeFriend } from './friendships.ts';
import type { FriendContext, Outcome } from './hold-pair.ts';
import { presentBlock, presentFriend, presentRequest } from './present.ts';
import { type Asked, acceptRequest, endRequest, requestFriend } from './requests.ts';
import { searchFriend } from './search.ts';
import { findFriendship, isKnown, listBlocks, listFriendIds, listFriends, listPending } from './store.ts';

type Done = Promise<Outcome<Record<string, never>>>;

/** Who is whose friend; it is always mutual, and nobody is their own. */
export interface FriendService {
  /** In no particular order. */
  listFriendIds(user_id: string): Promise<string[]>;
  areFriends(user_id: string, other_id: string): Promise<boolean>;
  /** Whether there is somebody else of this id for the user: a locked account only where they have had to do with it. */
  isKnown(user_id: string, other_id: string): Promise<boolean>;
  /** By name, as English orders them. */
  listFriends(user_id: string): Promise<Friend[]>;
  /** What waits for an answer, newest first. */
  listRequests(user_id: string): Promise<FriendRequest[]>;
  /** Throws `user_not_found`, `too_many_requests`. */
  searchFriend(user_id: string, public_id: string): Promise<FoundPerson>;
  /**
   * `key` is the caller's own name of the request. Throws `user_not_found`, `cannot_befriend_self`, `friend_limit_reached`,
   * `too_many_requests`, `idempotency_mismatch`, `friend_request_decided`.
   */
  requestFriend(user_id: string, wish: { public_id: string; key: string | undefined }): Promise<Outcome<Asked>>;
  /** Throws `friend_request_not_found`, `friend_request_decided`, `friend_limit_reached`. */
  acceptRequest(user_id: string, id: string): Promise<Outcome<Friend>>;
  /** Throws `friend_request_not_found`, `friend_request_decided`. */
  declineRequest(user_id: string, id: string): Done;
  /** As `declineRequest`, for whoever has sent it. */
  cancelRequest(user_id: string, id: string): Done;
  /** By the id of the friendship. Throws `friend_not_found` for one that never was the user's. */
  removeFriend(user_id: string, id: string): Done;
  listBlocks(user_id: string): Promise<Block[]>;
  /** Throws `user_not_found`. */
  blockUser(user_id: string, other_id: string): Promise<Outcome<Block>>;
  unblockUser(user_id: string, other_id: string): Done;
}

export function createFriendService(context: FriendContext): FriendService {
  const { database } = context;
  return {
    listFriendIds: (user_id) => listFriendIds(database, user_id),
    areFriends: async (user_id, other_id) => (await findFriendship(database, user_id, other_id)) !== undefined,
    isKnown: (user_id, other_id) => isKnown(database, user_id, other_id),
    async listFriends(user_id) {
      const rows = await listFriends(database, user_id);
      return rows
        .map((row) => presentFriend(row.friendship_id, row))
        .sort((a, b) => compareNames(a.friend_name, b.friend_name, 'en') || (a.id < b.id ? -1 : 1));
    },
    async listRequests(user_id) {
      const rows = await listPending(database, user_id);
      return rows.map((row) => presentRequest({ ...row, id: row.request_id }, row));
    },
    searchFriend: (user_id, public_id) => searchFriend(context, user_id, public_id),
    requestFriend: (user_id, wish) => requestFriend(context, user_id, wish),
    acceptRequest: (user_id, id) => acceptRequest(context, user_id, id),
    declineRequest: (user_id, id) => endRequest(context, user_id, { id, action: 'decline' }),
    cancelRequest: (user_id, id) => endRequest(context, user_id, { id, action: 'cancel' }),
    removeFriend: (user_id, id) => removeFriend(context, user_id, id),
    async listBlocks(user_id) {
      return (await listBlocks(database, user_id)).map((row) => presentBlock(row, row.created_at));
    },
    blockUser: (user_id, other_id) => blockUser(context, user_id, other_id),
    unblockUser: (user_id, other_id) => unblockUser(context, user_id, other_id),
  };
}
