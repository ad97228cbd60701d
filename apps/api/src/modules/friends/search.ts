import type { FoundPerson } from '@sendlap/contract/friends.ts';
import type { FriendContext } from './hold-pair.ts';
import { countLookUp } from './look-ups.ts';
import { presentPerson } from './present.ts';
import { relationOf } from './relation.ts';
import { userNotFound } from './requests.ts';
import { findByPublicId } from './store.ts';

/** Who has exactly a public id. Throws `user_not_found` and, beyond what one may look up in a day, `too_many_requests`. */
export async function searchFriend(
  { database, now }: Pick<FriendContext, 'database' | 'now'>,
  user_id: string,
  public_id: string,
): Promise<FoundPerson> {
  await countLookUp(database, user_id, now());
  const found = await findByPublicId(database, user_id, public_id);
  if (!found) throw userNotFound();
  const { request_id, friendship_id } = found;
  return { ...presentPerson(found), relation: relationOf(found, user_id), request_id, friendship_id };
}
