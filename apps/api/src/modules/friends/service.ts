import type { Database } from '#api/platform/database.ts';
import { hasFriendship, listFriendIds } from './store.ts';

/** Who is whose friend; it is always mutual, and nobody is their own. */
export interface FriendService {
  /** In no particular order. */
  listFriendIds(user_id: string): Promise<string[]>;
  areFriends(user_id: string, other_id: string): Promise<boolean>;
}

export function createFriendService(database: Database): FriendService {
  return {
    listFriendIds: (user_id) => listFriendIds(database, user_id),
    areFriends: (user_id, other_id) => hasFriendship(database, user_id, other_id),
  };
}
