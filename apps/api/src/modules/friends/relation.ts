import type { Relation } from '@sendlap/contract/friends.ts';
import type { FoundRow } from './store.ts';

/** What somebody who was found is to the user. */
export function relationOf({ id, friendship_id, request_sender_id }: FoundRow, user_id: string): Relation {
  if (id === user_id) return 'self';
  if (friendship_id !== null) return 'friend';
  if (request_sender_id === null) return 'none';
  return request_sender_id === user_id ? 'outgoing' : 'incoming';
}
