import { type Friend, MAX_FRIENDS } from '@sendlap/contract/friends.ts';
import { AppError } from '#api/platform/errors.ts';
import { type FriendContext, type LockedPair, type WriteResult, withLockedPair } from './lock-pair.ts';
import { presentFriend, presentRequest, withoutPublicId } from './present.ts';
import { countFriends, findOtherFriendId, findRequest, lockChat, pairOf, type RequestRow } from './store.ts';

/**
 * Makes friends of the two from a pending request. The friendship has the id of the request, whose row stays: a
 * repeated removal is recognised by it. Throws `friend_limit_reached`.
 */
export async function befriend(pair: LockedPair, request: RequestRow): Promise<Friend> {
  const { trx, me, other, now, pending_events } = pair;
  for (const { id } of [me, other]) await assertFriendLimit(pair, id);
  const { id } = request;
  await trx.updateTable('friend_requests').set({ status: 'accepted', decided_at: now }).where('id', '=', id).execute();
  await trx
    .insertInto('friendships')
    .values({ id, ...pairOf(me.id, other.id), created_at: now })
    .execute();
  await pair.markFriendshipChanged();
  for (const [person, friend] of bothDirections(pair)) {
    pending_events.push(
      {
        user_id: person.id,
        event: { type: 'friend_request_changed', status: 'accepted', request: presentRequest(request, friend) },
      },
      { user_id: person.id, event: { type: 'friend_changed', is_friend: true, friend: presentFriend(id, friend) } },
    );
  }
  return presentFriend(id, other);
}

export async function assertFriendLimit({ trx }: LockedPair, user_id: string): Promise<void> {
  if ((await countFriends(trx, user_id)) < MAX_FRIENDS) return;
  throw new AppError('friend_limit_reached', `You cannot have more than ${MAX_FRIENDS} friends here`);
}

/** Returns false if the two are not friends. */
export async function endFriendship(pair: LockedPair): Promise<boolean> {
  const { trx, me, other, pending_events } = pair;
  const { user_low, user_high } = pairOf(me.id, other.id);
  const ended = await trx
    .deleteFrom('friendships')
    .where('user_low', '=', user_low)
    .where('user_high', '=', user_high)
    .returning(['id', 'created_at'])
    .executeTakeFirst();
  if (!ended) return false;
  const { id, created_at } = ended;
  // A friendship made without a request leaves this row as its trace, dated by its start; the row does not count
  // towards the daily request limit.
  const trace = { id, sender_id: me.id, receiver_id: other.id, created_at, decided_at: created_at };
  await trx
    .insertInto('friend_requests')
    .values({ ...trace, status: 'accepted' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await lockChat(trx, me.id, other.id);
  await pair.markFriendshipChanged();
  for (const [person, friend] of bothDirections(pair)) {
    const event = {
      type: 'friend_changed',
      is_friend: false,
      friend: presentFriend(id, withoutPublicId(friend)),
    } as const;
    pending_events.push({ user_id: person.id, event });
  }
  return true;
}

/** Ends a friendship of the user, by its id. Throws `friend_not_found` if it never was theirs. */
export async function removeFriend(
  context: FriendContext,
  user_id: string,
  id: string,
): Promise<WriteResult<Record<string, never>>> {
  const notFound = () => new AppError('friend_not_found', 'This person is not your friend now');
  const other_id = await findOtherFriendId(context.database, user_id, id);
  if (other_id === undefined) {
    if (await wasFriendship(context, user_id, id)) return { value: {}, is_repeat: true };
    throw notFound();
  }
  return withLockedPair(context, { user_id, other_id, notFoundError: notFound }, async (pair) => {
    const is_there = (await findOtherFriendId(pair.trx, user_id, id)) !== undefined;
    if (is_there) await endFriendship(pair);
    return { value: {}, is_repeat: !is_there };
  });
}

async function wasFriendship({ database }: FriendContext, user_id: string, id: string): Promise<boolean> {
  return (await findRequest(database, user_id, id))?.status === 'accepted';
}

/** Both orders of the pair: each person with the other. */
export function bothDirections({ me, other }: LockedPair) {
  return [
    [me, other],
    [other, me],
  ] as const;
}
