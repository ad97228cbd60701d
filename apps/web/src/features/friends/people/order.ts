import type { Friend, FriendRequest } from '@sendlap/contract/friends.ts';
import { compareNames, foldText } from '@sendlap/domain/names.ts';

/** With more friends than this there is a field that narrows the list. */
export const FILTER_FROM = 10;

/** Friends in the order of the reader's language; those of the same name by their public id. */
export function orderFriends(friends: Friend[], locale: string): Friend[] {
  return friends.toSorted(
    (a, b) =>
      compareNames(a.friend_name, b.friend_name, locale) ||
      compareNames(a.friend_public_id, b.friend_public_id, locale),
  );
}

/** Friends whose name or public id holds the text, whatever its case and accents; all of them for an empty one. */
export function filterFriends(friends: Friend[], text: string): Friend[] {
  const wanted = foldText(text);
  return friends.filter(
    ({ friend_name, friend_public_id }) => foldText(friend_name).includes(wanted) || friend_public_id.includes(wanted),
  );
}

/** Requests that wait for my answer. */
export function countIncoming(requests: FriendRequest[]): number {
  return requests.filter(({ direction }) => direction === 'incoming').length;
}
