import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import type { PeopleWorld, Role } from './people-world.ts';

interface Call {
  params?: Record<string, string>;
  body?: object;
}

/** One operation on something of Ada's, and the answer each role gets. */
export interface Operation {
  /** Method and path of the contract. */
  call: string;
  on: string;
  make(world: PeopleWorld, role: Role): Call;
  /** Status and code. "=": nothing may have changed although the call is not refused. */
  expected: Record<Exclude<Role, 'anonymous'>, string>;
  /** What a successful reply may reveal about Ada beyond what the caller may always see of her. */
  also?: string[];
}

const OWN = {
  stranger: '200 =',
  blocked: '200 =',
  blocker: '200 =',
  ex_friend: '200 =',
  friend: '200 =',
  participant: '200 =',
  owner: '200 =',
} as const;

const toAll = (refusal: string) => ({
  stranger: refusal,
  blocked: refusal,
  blocker: refusal,
  ex_friend: refusal,
  friend: refusal,
  participant: refusal,
  owner: refusal,
});

const NO_REQUEST = '404 friend_request_not_found';
const NO_USER = '404 user_not_found';
const NO_CHAT = '404 chat_not_found';

const friendOperations: Operation[] = [
  { call: 'GET /v1/friends', on: 'their own friends', make: () => ({}), expected: OWN },
  { call: 'GET /v1/friends/requests/pending', on: 'their own requests', make: () => ({}), expected: OWN },
  {
    call: 'POST /v1/friends/search',
    on: "Ada's public id",
    make: ({ people }) => ({ body: { public_id: people.owner.user.public_id } }),
    expected: { ...OWN, blocked: NO_USER, blocker: NO_USER },
    also: ['owner id', 'owner name', 'owner public_id'],
  },
  {
    call: 'POST /v1/friends/request',
    on: "Ada's public id",
    make: ({ people }) => ({ body: { receiver_public_id: people.owner.user.public_id } }),
    expected: {
      stranger: '201',
      blocked: NO_USER,
      blocker: NO_USER,
      ex_friend: '201',
      friend: '201 =',
      participant: '201 =',
      owner: '422 cannot_befriend_self',
    },
    also: ['owner id', 'owner name', 'owner public_id'],
  },
  {
    call: 'POST /v1/friends/request/:id/accept',
    on: 'a request to Ada',
    make: ({ got_id }) => ({ params: { id: got_id } }),
    expected: { ...toAll(NO_REQUEST), owner: '200' },
  },
  {
    call: 'POST /v1/friends/request/:id/accept',
    on: 'a request of Ada',
    make: ({ sent_id }) => ({ params: { id: sent_id } }),
    expected: toAll(NO_REQUEST),
  },
  {
    call: 'POST /v1/friends/request/:id/decline',
    on: 'a request to Ada',
    make: ({ got_id }) => ({ params: { id: got_id } }),
    expected: { ...toAll(NO_REQUEST), owner: '200' },
  },
  {
    call: 'DELETE /v1/friends/request/:id',
    on: 'a request of Ada',
    make: ({ sent_id }) => ({ params: { id: sent_id } }),
    expected: { ...toAll(NO_REQUEST), owner: '200' },
  },
  {
    call: 'DELETE /v1/friends/request/:id',
    on: 'a request to Ada',
    make: ({ got_id }) => ({ params: { id: got_id } }),
    expected: toAll(NO_REQUEST),
  },
  {
    call: 'DELETE /v1/friends/:id',
    on: 'the friendship of Ada and Ben',
    make: ({ friendship_id }) => ({ params: { id: friendship_id } }),
    // Ben calls first; Ada's call is the repeat.
    expected: { ...toAll('404 friend_not_found'), participant: '200', owner: '200 =' },
  },
  {
    call: 'PUT /v1/friends/public-id',
    on: "Ada's public id",
    make: ({ people }) => ({ body: { public_id: people.owner.user.public_id } }),
    expected: { ...toAll('409 public_id_taken'), owner: '200 =' },
  },
  { call: 'GET /v1/friends/blocks', on: 'their own blocks', make: () => ({}), expected: OWN },
  {
    call: 'POST /v1/friends/blocks',
    on: 'Ada',
    make: ({ people }) => ({ body: { user_id: people.owner.user.id } }),
    expected: { ...toAll('201'), blocker: '201 =', owner: NO_USER },
    also: ['owner id', 'owner name'],
  },
  {
    call: 'DELETE /v1/friends/blocks/:id',
    on: 'Ada',
    make: ({ people }) => ({ params: { id: people.owner.user.id } }),
    expected: { ...OWN, blocker: '200' },
  },
  {
    call: 'POST /v1/reports',
    on: 'Ada',
    make: ({ people }) => ({ body: { client_id: randomUUID(), user_id: people.owner.user.id, reason: 'other' } }),
    expected: { ...toAll('201'), owner: NO_USER },
  },
  {
    call: 'POST /v1/reports',
    on: 'messages of Ada and Ben',
    make: ({ people, chats }) => {
      const { message_ids } = chats.participant;
      return { body: { client_id: randomUUID(), user_id: people.owner.user.id, reason: 'other', message_ids } };
    },
    expected: { ...toAll('404 message_not_found'), participant: '201', owner: NO_USER },
  },
];

/** The caller's own chat with Ada; for a role without one, another user's chat. */
function ownChat({ chats }: PeopleWorld, role: Role) {
  return role === 'participant' || role === 'friend' || role === 'blocked' || role === 'blocker'
    ? chats[role]
    : chats.ex_friend;
}

const chatOfBen = ({ chats }: PeopleWorld) => ({ chat_id: chats.participant.id });
const chatOfCaller = (world: PeopleWorld, role: Role) => ({ chat_id: ownChat(world, role).id });
const textOf = () => ({ client_id: randomUUID(), message: 'Hello' });
const MESSAGES = '/v1/chats/:chat_id/messages';
const TYPING = '/v1/chats/:chat_id/typing';
const OWN_CHAT = { ...toAll(NO_CHAT), ex_friend: '200', friend: '200', participant: '200', owner: '200' };
/** For Ada as the caller, this is the chat with her former friend. */
const OPEN_CHAT = { ...OWN_CHAT, ex_friend: '409 chat_closed', owner: '409 chat_closed' };

const chatOperations: Operation[] = [
  { call: 'GET /v1/chats', on: 'their own chats', make: () => ({}), expected: OWN },
  {
    call: 'POST /v1/chats',
    on: 'Ada',
    make: ({ people }) => ({ body: { receiver_id: people.owner.user.id } }),
    expected: { ...toAll(NO_USER), ex_friend: '201 =', friend: '201 =', participant: '201 =' },
  },
  {
    call: `GET ${MESSAGES}`,
    on: 'the chat of Ada and Ben',
    make: (world) => ({ params: chatOfBen(world) }),
    expected: { ...toAll(NO_CHAT), participant: '200 =', owner: '200 =' },
  },
  {
    call: `GET ${MESSAGES}`,
    on: 'their own chat with Ada',
    make: (world, role) => ({ params: chatOfCaller(world, role) }),
    expected: { ...toAll(NO_CHAT), ex_friend: '200 =', friend: '200 =', participant: '200 =', owner: '200 =' },
  },
  {
    call: `POST ${MESSAGES}`,
    on: 'the chat of Ada and Ben',
    make: (world) => ({ params: chatOfBen(world), body: textOf() }),
    expected: { ...toAll(NO_CHAT), participant: '201', owner: '201' },
  },
  {
    call: `POST ${MESSAGES}`,
    on: 'their own chat with Ada',
    make: (world, role) => ({ params: chatOfCaller(world, role), body: textOf() }),
    expected: { ...OPEN_CHAT, friend: '201', participant: '201' },
  },
  {
    call: `POST ${MESSAGES}/mark-read`,
    on: 'the chat of Ada and Ben',
    make: (world) => ({ params: chatOfBen(world), body: { messageIds: world.chats.participant.message_ids } }),
    expected: { ...toAll(NO_CHAT), participant: '200', owner: '200' },
  },
  {
    call: `POST ${MESSAGES}/mark-read`,
    on: 'their own chat with Ada',
    make: (world, role) => ({
      params: chatOfCaller(world, role),
      body: { messageIds: ownChat(world, role).message_ids },
    }),
    expected: OWN_CHAT,
  },
  {
    call: `POST ${MESSAGES}/mark-read`,
    on: 'messages of Ada and Ben as if they were of their own chat with Ada',
    make: (world, role) => ({
      params: chatOfCaller(world, role),
      body: { messageIds: world.chats.participant.message_ids },
    }),
    expected: {
      ...toAll(NO_CHAT),
      ex_friend: '404 message_not_found',
      friend: '404 message_not_found',
      participant: '200',
      owner: '404 message_not_found',
    },
  },
  {
    call: `POST ${TYPING}`,
    on: 'the chat of Ada and Ben',
    make: (world) => ({ params: chatOfBen(world) }),
    expected: { ...toAll(NO_CHAT), participant: '200 =', owner: '200 =' },
  },
  {
    call: `POST ${TYPING}`,
    on: 'their own chat with Ada',
    make: (world, role) => ({ params: chatOfCaller(world, role) }),
    expected: { ...OPEN_CHAT, friend: '200 =', participant: '200 =' },
  },
];

const pushOperations: Operation[] = [
  { call: 'GET /v1/push-subscriptions/key', on: 'the key', make: () => ({}), expected: OWN },
  {
    call: 'POST /v1/push-subscriptions',
    on: 'their own browser',
    make: () => {
      const curve = createECDH('prime256v1');
      const keys = { p256dh: curve.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
      return { body: { endpoint: `http://localhost:9/${randomUUID()}`, keys, language: 'en' } };
    },
    expected: toAll('201'),
  },
  {
    call: 'GET /v1/push-subscriptions/:id',
    on: "Ada's browser",
    make: ({ subscription_id }) => ({ params: { id: subscription_id } }),
    expected: { ...toAll('404 push_subscription_not_found'), owner: '200 =' },
  },
  {
    call: 'DELETE /v1/push-subscriptions/:id',
    on: "Ada's browser",
    make: ({ subscription_id }) => ({ params: { id: subscription_id } }),
    expected: { ...OWN, owner: '200' },
  },
];

export const OPERATIONS = [...friendOperations, ...chatOperations, ...pushOperations];

/**
 * What replies may reveal about others, by the caller's role, whatever is called. E-mails and account names are never
 * allowed.
 */
export const SEEN: Record<Role, string[]> = {
  anonymous: [],
  stranger: [],
  blocked: [],
  blocker: ['owner id', 'owner name'],
  ex_friend: ['owner id', 'owner name', 'ex_friend text'],
  friend: ['owner id', 'owner name', 'owner public_id', 'friend text'],
  participant: ['owner id', 'owner name', 'owner public_id', 'participant text'],
  owner: [
    ...['participant', 'friend', 'asker', 'asked'].flatMap((who) => [`${who} id`, `${who} name`, `${who} public_id`]),
    ...['ex_friend', 'blocked'].flatMap((who) => [`${who} id`, `${who} name`]),
    ...['participant text', 'friend text', 'ex_friend text'],
  ],
};
