import type { Block } from '@sendlap/contract/friends.ts';
import { userNotFound } from '#api/platform/errors.ts';
import { endFriendship } from './friendships.ts';
import { type FriendContext, type LockedPair, type WriteResult, withLockedPair } from './lock-pair.ts';
import { presentBlock } from './present.ts';
import { closeRequest } from './requests.ts';
import { canSeeUser, findBlock, findPendingRequest, lockChat } from './store.ts';

/**
 * Ends friendship and requests between the two users and hides their chat from both. To the blocked user it looks like
 * a removed friend, or a declined or cancelled request. Throws `user_not_found` if the caller cannot see the other one.
 */
export async function blockUser(
  context: FriendContext,
  user_id: string,
  other_id: string,
): Promise<WriteResult<Block>> {
  if (other_id === user_id) throw userNotFound();
  return withLockedPair(context, { user_id, other_id, notFoundError: userNotFound }, async (pair) => {
    const { trx, me, other, now } = pair;
    const existing = await findBlock(trx, me.id, other.id);
    if (existing) return { value: presentBlock(other, existing.created_at), is_repeat: true };
    if (!(await canSeeUser(trx, me.id, other.id))) throw userNotFound();
    await trx.insertInto('blocks').values({ blocker_id: me.id, blocked_id: other.id, created_at: now }).execute();
    const pending = await findPendingRequest(trx, me.id, other.id);
    if (pending) await closeRequest(pair, pending, pending.sender_id === me.id ? 'cancelled' : 'declined');
    await endFriendship(pair);
    await notifyChatChanged(pair);
    return { value: presentBlock(other, now), is_repeat: false };
  });
}

/** Without a block, or without such a user, the call is a repeat. */
export async function unblockUser(
  context: FriendContext,
  user_id: string,
  other_id: string,
): Promise<WriteResult<Record<string, never>>> {
  const nothing = { value: {}, is_repeat: true };
  if (!(await findBlock(context.database, user_id, other_id))) return nothing;
  return withLockedPair(context, { user_id, other_id, notFoundError: userNotFound }, async (pair) => {
    const { trx, me, other } = pair;
    const { numDeletedRows } = await trx
      .deleteFrom('blocks')
      .where('blocker_id', '=', me.id)
      .where('blocked_id', '=', other.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) return nothing;
    await notifyChatChanged(pair);
    return { value: {}, is_repeat: false };
  });
}

/** Does nothing without a chat, or while the other user's block still hides it. */
async function notifyChatChanged({ trx, me, other, pending_events }: LockedPair): Promise<void> {
  const chat_id = await lockChat(trx, me.id, other.id);
  if (chat_id === undefined || (await findBlock(trx, other.id, me.id))) return;
  for (const { id } of [me, other]) pending_events.push({ user_id: id, event: { type: 'chat_changed', chat_id } });
}
