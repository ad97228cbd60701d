import { PUBLIC_ID_PATTERN } from '@sendlap/domain/public-id.ts';
import * as z from 'zod/mini';
import { endpoint } from './wire/endpoint.ts';
import { Empty, Timestamp, Uuid } from './wire/schemas.ts';

export const PublicId = z.string().check(z.regex(PUBLIC_ID_PATTERN, 'must be 3 to 30 of a-z, 0-9, _, . and -'));

/** Maximum number of a user's friends. */
export const MAX_FRIENDS = 1_000;

/** `id`: the friendship, which DELETE expects. `friend_id`: the user. */
export const Friend = z.object({
  id: Uuid,
  friend_id: Uuid,
  /** "Athlete" for a user who has not chosen a name. */
  friend_name: z.string(),
  friend_public_id: z.string(),
});
export type Friend = z.infer<typeof Friend>;

/** A user as shown to others who know the user's public id. */
export const Person = z.object({ id: Uuid, name: z.string(), public_id: z.string() });
export type Person = z.infer<typeof Person>;

/** A pending request. `user`: the other user. */
export const FriendRequest = z.object({
  id: Uuid,
  direction: z.enum(['incoming', 'outgoing']),
  user: Person,
  created_at: Timestamp,
});
export type FriendRequest = z.infer<typeof FriendRequest>;

export const listFriends = endpoint({
  method: 'GET',
  path: '/v1/friends',
  summary: 'My friends, by name',
  access: 'user',
  data: z.array(Friend),
});

export const listFriendRequests = endpoint({
  method: 'GET',
  path: '/v1/friends/requests/pending',
  summary: 'Requests that wait for an answer, mine and those to me, newest first',
  access: 'user',
  data: z.array(FriendRequest),
});

/** The user's relation to me. */
export const Relation = z.enum(['none', 'self', 'friend', 'incoming', 'outgoing']);
export type Relation = z.infer<typeof Relation>;

/**
 * Public ids that a user may look up per day (UTC), searches and requests combined; `limit` allows 30 of each a minute.
 */
export const FRIEND_LOOK_UPS_A_DAY = 300;

export const searchFriend = endpoint({
  method: 'POST',
  path: '/v1/friends/search',
  summary:
    'Who has exactly this public id; the same 404 for an unknown id, a locked account and a block on either side',
  access: 'user',
  body: z.strictObject({ public_id: PublicId }),
  data: z.object({
    ...Person.shape,
    relation: Relation,
    /** Id of the pending request between us. */
    request_id: z.nullable(Uuid),
    /** Id of the friendship. */
    friendship_id: z.nullable(Uuid),
  }),
  limit: { max: 30, window_s: 60 },
  errors: ['user_not_found'],
});
export type FoundPerson = z.infer<(typeof searchFriend)['data']>;

export const FRIEND_REQUESTS_A_DAY = 30;

export const requestFriend = endpoint({
  method: 'POST',
  path: '/v1/friends/request',
  summary: 'Ask a user to be my friend; if they have asked me, we are friends at once; 30 a day',
  access: 'user',
  body: z.strictObject({ receiver_public_id: PublicId }),
  data: z.discriminatedUnion('status', [
    z.object({ status: z.literal('pending'), request: FriendRequest }),
    z.object({ status: z.literal('accepted'), friend: Friend }),
  ]),
  status: 201,
  limit: { max: 30, window_s: 60 },
  errors: [
    'user_not_found',
    'cannot_befriend_self',
    'friend_request_decided',
    'friend_limit_reached',
    'idempotency_mismatch',
  ],
});

export const acceptFriendRequest = endpoint({
  method: 'POST',
  path: '/v1/friends/request/:id/accept',
  summary: 'Accept a friend request; a repeat returns the friend again',
  access: 'user',
  params: z.strictObject({ id: Uuid }),
  data: Friend,
  errors: ['friend_request_not_found', 'friend_request_decided', 'friend_limit_reached'],
});

export const declineFriendRequest = endpoint({
  method: 'POST',
  path: '/v1/friends/request/:id/decline',
  summary: 'Decline a friend request; a repeat changes nothing',
  access: 'user',
  params: z.strictObject({ id: Uuid }),
  data: Empty,
  errors: ['friend_request_not_found', 'friend_request_decided'],
});

export const cancelFriendRequest = endpoint({
  method: 'DELETE',
  path: '/v1/friends/request/:id',
  summary: 'Take my request back; a repeat changes nothing',
  access: 'user',
  params: z.strictObject({ id: Uuid }),
  data: Empty,
  errors: ['friend_request_not_found', 'friend_request_decided'],
});

export const removeFriend = endpoint({
  method: 'DELETE',
  path: '/v1/friends/:id',
  summary: 'End a friendship, by its id; the chat stays readable, sending stops; a repeat changes nothing',
  access: 'user',
  params: z.strictObject({ id: Uuid }),
  data: Empty,
  errors: ['friend_not_found'],
});

export const changePublicId = endpoint({
  method: 'PUT',
  path: '/v1/friends/public-id',
  summary: 'Change the id by which friends find me; the old one is kept for me for 90 days',
  access: 'user',
  body: z.strictObject({ public_id: PublicId }),
  data: z.object({ public_id: z.string() }),
  limit: { max: 10, window_s: 86_400 },
  errors: ['public_id_taken'],
});

/** `id` is the blocked user's. The public id is omitted: the two cannot find each other. */
export const Block = z.object({ id: Uuid, name: z.string(), created_at: Timestamp });
export type Block = z.infer<typeof Block>;

export const listBlocks = endpoint({
  method: 'GET',
  path: '/v1/friends/blocks',
  summary: 'Whom I have blocked, newest first',
  access: 'user',
  data: z.array(Block),
});

export const blockUser = endpoint({
  method: 'POST',
  path: '/v1/friends/blocks',
  summary: 'Block a user: no friendship, request, chat or search between us; a repeat changes nothing',
  access: 'user',
  body: z.strictObject({ user_id: Uuid }),
  data: Block,
  status: 201,
  limit: { max: 60, window_s: 3600 },
  errors: ['user_not_found'],
});

export const unblockUser = endpoint({
  method: 'DELETE',
  path: '/v1/friends/blocks/:id',
  summary: 'Take a block back, by the id of the user; friends we are only after a new request',
  access: 'user',
  params: z.strictObject({ id: Uuid }),
  data: Empty,
  errors: ['user_not_found'],
});
