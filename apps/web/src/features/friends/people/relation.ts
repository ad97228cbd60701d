import type { Friend, FriendRequest, Relation } from '@sendlap/contract/friends.ts';

/** What somebody is to me, and the ids by which that is changed. */
export interface KnownRelation {
  relation: Relation;
  /** Of the pending request between us. */
  request_id: string | null;
  /** Of the friendship. */
  friendship_id: string | null;
}

/** What my lists say about somebody else; null as long as one that would have to be looked at is not there. */
export function relationIn(
  user_id: string,
  friends: Friend[] | undefined,
  requests: FriendRequest[] | undefined,
): KnownRelation | null {
  const friend = friends?.find(({ friend_id }) => friend_id === user_id);
  if (friend) return { relation: 'friend', request_id: null, friendship_id: friend.id };
  if (!friends || !requests) return null;
  const request = requests.find(({ user }) => user.id === user_id);
  if (request) return { relation: request.direction, request_id: request.id, friendship_id: null };
  return { relation: 'none', request_id: null, friendship_id: null };
}

export interface Dated<Value> {
  value: Value;
  /** ms epoch of this device's clock. */
  read_at: number;
}

/** Of the search's answer and my lists the newer one: lists are kept up to date, an answer is not. */
export function newestRelation(found: Dated<KnownRelation>, listed: Dated<KnownRelation> | null): KnownRelation {
  if (found.value.relation === 'self') return found.value;
  return listed && listed.read_at >= found.read_at ? listed.value : found.value;
}
