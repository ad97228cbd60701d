import { useFriendRequests, useFriends } from '#web/shared/data/friends.ts';
import { findRelation, type RelationDetails, type Timestamped } from './relation.ts';

/** Another user's relation to me as far as this device knows; null if it does not. */
export function useRelation(user_id: string): RelationDetails | null {
  const friends = useFriends();
  const requests = useFriendRequests();
  return findRelation(user_id, friends.data, requests.data);
}

/** The relation with the time at which the lists were fetched; null while they are copies or not loaded. */
export function useTimestampedRelation(user_id: string): Timestamped<RelationDetails> | null {
  const value = useRelation(user_id);
  const friends = useFriends();
  const requests = useFriendRequests();
  if (!value || friends.is_copy || requests.is_copy) return null;
  return { value, read_at: Math.min(friends.fetched_at, requests.fetched_at) };
}
