import { randomUUID } from 'node:crypto';
import {
  FRIEND_REQUESTS_A_DAY,
  type Friend,
  type requestFriend as requestEndpoint,
} from '@sendlap/contract/friends.ts';
import type { Reply } from '@sendlap/contract/wire/endpoint.ts';
import { DAY_MS } from '@sendlap/domain/durations.ts';
import {
  FRIEND_REQUEST_ACTORS,
  FRIEND_REQUEST_TRANSITIONS,
  type FriendRequestAction,
  type FriendRequestState,
} from '@sendlap/domain/friend-requests.ts';
import type { Database, Trx } from '#api/database/database.ts';
import { AppError, userNotFound } from '#api/platform/errors.ts';
import { assertFriendLimit, befriend, bothDirections } from './friendships.ts';
import { type FriendContext, type LockedPair, type WriteResult, withLockedPair } from './lock-pair.ts';
import { countLookUp } from './look-ups.ts';
import { presentFriend, presentRequest, relationOf, withoutPublicId } from './present.ts';
import {
  findByPublicId,
  findFriendship,
  findPendingRequest,
  findRequest,
  findRequestTime,
  isBlockedEitherWay,
  isPublicIdOf,
  type RequestRow,
} from './store.ts';

export type FriendRequestReply = Reply<typeof requestEndpoint>;

const requestNotFound = () => new AppError('friend_request_not_found', 'This request does not exist, or has ended');
const requestDecided = () => new AppError('friend_request_decided', 'This request was already answered');

interface FriendRequestInput {
  public_id: string;
  /** The caller's idempotency key of this request, if any. */
  key: string | undefined;
}

/**
 * Sends a friend request; if the other user has sent one already, the two become friends. Throws `user_not_found`
 * (missing, locked or blocked), `cannot_befriend_self`, `friend_limit_reached`, `too_many_requests`; for a key of
 * another request `idempotency_mismatch`, of one that is over `friend_request_decided`.
 */
export async function requestFriend(
  context: FriendContext,
  user_id: string,
  { public_id, key }: FriendRequestInput,
): Promise<WriteResult<FriendRequestReply>> {
  const replay_receiver_id =
    key === undefined ? undefined : await findReplayReceiver(context, user_id, { public_id, key });
  const other_id = replay_receiver_id ?? (await findReceiver(context, user_id, public_id));
  return withLockedPair(context, { user_id, other_id, notFoundError: userNotFound }, async (pair) => {
    const { trx, me, other } = pair;
    const has_other_public_id = replay_receiver_id === undefined && other.public_id !== public_id;
    if (has_other_public_id || !other.is_active || (await isBlockedEitherWay(trx, me.id, other.id)))
      throw userNotFound();
    const known = key === undefined ? undefined : await findRequestByKey(pair, key);
    const friendship_id = await findFriendship(trx, me.id, other.id);
    if (friendship_id !== undefined) {
      return { value: { status: 'accepted', friend: presentFriend(friendship_id, other) }, is_repeat: true };
    }
    if (known && known.status !== 'pending') throw requestDecided();
    const pending = await findPendingRequest(trx, me.id, other.id);
    if (pending?.sender_id === me.id) {
      return { value: { status: 'pending', request: presentRequest(pending, other) }, is_repeat: true };
    }
    if (pending) return { value: { status: 'accepted', friend: await befriend(pair, pending) }, is_repeat: false };
    return { value: { status: 'pending', request: await insertRequest(pair, key ?? randomUUID()) }, is_repeat: false };
  });
}

/**
 * Returns the receiver of the user's request with this key, by a current or former public id. Such a repeat is not
 * counted as a look-up.
 */
async function findReplayReceiver(
  { database }: FriendContext,
  user_id: string,
  { public_id, key }: { public_id: string; key: string },
): Promise<string | undefined> {
  const known = await findRequest(database, user_id, key);
  if (known?.sender_id !== user_id) return undefined;
  return (await isPublicIdOf(database, known.receiver_id, public_id)) ? known.receiver_id : undefined;
}

/**
 * Once the daily request limit is used up, do not reveal whether an id exists, unless the two already have a relation.
 */
async function findReceiver({ database, now }: FriendContext, user_id: string, public_id: string): Promise<string> {
  await countLookUp(database, user_id, now());
  const found = await findByPublicId(database, user_id, public_id);
  const relation = found ? relationOf(found, user_id) : 'none';
  if (relation === 'self') throw new AppError('cannot_befriend_self', 'That is your own public id');
  if (relation === 'none') await assertRequestLimit(database, user_id, now());
  if (!found) throw userNotFound();
  return found.id;
}

/** Returns the request with this key, if any. Throws `idempotency_mismatch` if it is another request. */
async function findRequestByKey({ trx, me, other }: LockedPair, key: string): Promise<RequestRow | undefined> {
  const known = await findRequest(trx, me.id, key);
  if (known && (known.sender_id !== me.id || known.receiver_id !== other.id)) throw idempotencyMismatch();
  return known;
}

async function insertRequest(pair: LockedPair, id: string) {
  const { trx, me, other, now, pending_events } = pair;
  await assertFriendLimit(pair, me.id);
  await assertRequestLimit(trx, me.id, now);
  const request = await trx
    .insertInto('friend_requests')
    .values({ id, sender_id: me.id, receiver_id: other.id, created_at: now })
    // The id belongs to another user's request.
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!request) throw idempotencyMismatch();
  for (const [person, opposite] of bothDirections(pair)) {
    const event = {
      type: 'friend_request_changed',
      status: 'pending',
      request: presentRequest(request, opposite),
    } as const;
    pending_events.push({ user_id: person.id, event });
  }
  return presentRequest(request, other);
}

/** Counted in the rows, so that all nodes agree and restarts forget nothing. */
async function assertRequestLimit(executor: Database | Trx, user_id: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS);
  const oldest = await findRequestTime(executor, user_id, { since, skip: FRIEND_REQUESTS_A_DAY - 1 });
  if (!oldest) return;
  throw new AppError('too_many_requests', `You can send ${FRIEND_REQUESTS_A_DAY} friend requests a day`, {
    retry_after_s: Math.ceil((oldest.getTime() - since.getTime()) / 1000),
  });
}

/** Throws `friend_request_not_found`, `friend_request_decided`, `friend_limit_reached`. */
export function acceptRequest(context: FriendContext, user_id: string, id: string): Promise<WriteResult<Friend>> {
  return decideRequest(context, { user_id, id, action: 'accept' }, async (pair, request, is_repeat) => {
    if (!is_repeat) return befriend(pair, request);
    const friendship_id = await findFriendship(pair.trx, pair.me.id, pair.other.id);
    // Friends by a later request, or no longer friends.
    if (friendship_id !== id) throw requestDecided();
    return presentFriend(id, pair.other);
  });
}

/** Throws `friend_request_not_found`, `friend_request_decided`. */
export function endRequest(
  context: FriendContext,
  user_id: string,
  { id, action }: { id: string; action: Exclude<FriendRequestAction, 'accept'> },
): Promise<WriteResult<Record<string, never>>> {
  return decideRequest(context, { user_id, id, action }, async (pair, request, is_repeat) => {
    if (!is_repeat) await closeRequest(pair, request, action === 'decline' ? 'declined' : 'cancelled');
    return {};
  });
}

interface RequestDecision {
  user_id: string;
  id: string;
  action: FriendRequestAction;
}

async function decideRequest<Value>(
  context: FriendContext,
  { user_id, id, action }: RequestDecision,
  applyDecision: (pair: LockedPair, request: RequestRow, is_repeat: boolean) => Promise<Value>,
): Promise<WriteResult<Value>> {
  const request = await findRequest(context.database, user_id, id);
  const actor_id = FRIEND_REQUEST_ACTORS[action] === 'sender' ? request?.sender_id : request?.receiver_id;
  if (!request || actor_id !== user_id) throw requestNotFound();
  const other_id = request.sender_id === user_id ? request.receiver_id : request.sender_id;
  return withLockedPair(context, { user_id, other_id, notFoundError: requestNotFound }, async (pair) => {
    const held = await findRequest(pair.trx, user_id, id);
    if (!held) throw requestNotFound();
    const next = FRIEND_REQUEST_TRANSITIONS[held.status][action];
    if ('error' in next) throw requestDecided();
    // The sender's account is locked; the request reappears if it is unlocked.
    if (action === 'accept' && !next.is_repeat && !pair.other.is_active) throw requestNotFound();
    return { value: await applyDecision(pair, held, next.is_repeat), is_repeat: next.is_repeat };
  });
}

/** Closes a pending request without a friendship. */
export async function closeRequest(
  pair: LockedPair,
  request: RequestRow,
  status: Exclude<FriendRequestState, 'pending' | 'accepted'>,
): Promise<void> {
  await pair.trx
    .updateTable('friend_requests')
    .set({ status, decided_at: pair.now })
    .where('id', '=', request.id)
    .execute();
  for (const [person, opposite] of bothDirections(pair)) {
    const seen = presentRequest(request, withoutPublicId(opposite));
    pair.pending_events.push({ user_id: person.id, event: { type: 'friend_request_changed', status, request: seen } });
  }
}

function idempotencyMismatch(): AppError {
  return new AppError('idempotency_mismatch', 'This key was used for another request');
}
