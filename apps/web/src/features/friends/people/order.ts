import type { Friend, FriendRequest } from '@sendlap/contract/friends.ts';
import { compareNames, foldText } from '@sendlap/domain/names.ts';

/** Sorts friends by the reader's language; friends with the same name by public id. */
export function orderFriends(friends: Friend[], locale: string): Friend[] {
  return friends.toSorted(
    (a, b) =>
      compareNames(a.friend_name, b.friend_name, locale) ||
      compareNames(a.friend_public_id, b.friend_public_id, locale),
  );
}

/**
 * Returns friends whose name or public id contains the text, ignoring case and accents; all of them for an empty text.
 */
export function filterFriends(friends: Friend[], text: string): Friend[] {
  const wanted = foldText(text);
  return friends.filter(
    ({ friend_name, friend_public_id }) => foldText(friend_name).includes(wanted) || friend_public_id.includes(wanted),
  );
}

/** Returns the number of requests that wait for my answer. */
export function countIncoming(requests: FriendRequest[]): number {
  return requests.filter(({ direction }) => direction === 'incoming').length;
}
