import type { Friend, FriendRequest, Relation } from '@sendlap/contract/friends.ts';

/** A user's relation to me, and the ids needed to change it. */
export interface RelationDetails {
  relation: Relation;
  /** The id of the pending request between us. */
  request_id: string | null;
  /** The id of the friendship. */
  friendship_id: string | null;
}

/** Returns a user's relation according to my lists; null while a list needed for that is missing. */
export function findRelation(
  user_id: string,
  friends: Friend[] | undefined,
  requests: FriendRequest[] | undefined,
): RelationDetails | null {
  const friend = friends?.find(({ friend_id }) => friend_id === user_id);
  if (friend) return { relation: 'friend', request_id: null, friendship_id: friend.id };
  if (!friends || !requests) return null;
  const request = requests.find(({ user }) => user.id === user_id);
  if (request) return { relation: request.direction, request_id: request.id, friendship_id: null };
  return { relation: 'none', request_id: null, friendship_id: null };
}

export interface Timestamped<Value> {
  value: Value;
  /** ms epoch of this device's clock. */
  read_at: number;
}

/** Returns the newer of the search's result and my lists: the lists are kept up to date, a search result is not. */
export function newestRelation(
  found: Timestamped<RelationDetails>,
  listed: Timestamped<RelationDetails> | null,
): RelationDetails {
  if (found.value.relation === 'self') return found.value;
  return listed && listed.read_at >= found.read_at ? listed.value : found.value;
}
