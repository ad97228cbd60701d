import { useFriendRequests, useFriends } from '#web/shared/data/friends.ts';
import { type Dated, type KnownRelation, relationIn } from './relation.ts';

/** Another user's relation to me as far as this device knows; null if it does not. */
export function useListedRelation(user_id: string): KnownRelation | null {
  const friends = useFriends();
  const requests = useFriendRequests();
  return relationIn(user_id, friends.data?.items, requests.data?.items);
}

/** The relation with the time at which the lists were fetched; null while they are copies or not loaded. */
export function useDatedRelation(user_id: string): Dated<KnownRelation> | null {
  const value = useListedRelation(user_id);
  const friends = useFriends();
  const requests = useFriendRequests();
  if (!value || friends.data?.cached_at !== null || requests.data?.cached_at !== null) return null;
  return { value, read_at: Math.min(friends.dataUpdatedAt, requests.dataUpdatedAt) };
}
