import * as chats from '@sendlap/contract/chats.ts';
import * as friends from '@sendlap/contract/friends.ts';
import * as reports from '@sendlap/contract/reports.ts';
import type { CallerName } from './callers.ts';
import { CALLER_NAMES, CALLERS, must, type Someone } from './callers.ts';
import type { MatrixWorld } from './matrix-world.ts';
import { anyId, forAll, NOTHING, nobodys, ofAda } from './rows.ts';
import type { Call, Row } from './rules.ts';

const HIDDEN = { blocked: 'user_not_found', blocker: 'user_not_found' } as const;
const ADA = /^owner (id|name|public_id)$/;
const PAIR: readonly CallerName[] = ['owner', 'participant'];
const USERS = CALLER_NAMES.filter((name) => CALLERS[name] === 'user');
const TEXT = () => ({ message: 'Hello', client_id: anyId() });

async function request({ api }: MatrixWorld, from: Someone, to: Someone): Promise<string> {
  const body = { receiver_public_id: to.user.public_id };
  return (await must(api, from, 'POST', friends.requestFriend.path, body)).request.id;
}

/** A pending request to Ada, or of hers. */
async function newRequest(world: MatrixWorld, direction: 'to Ada' | 'of Ada') {
  const other = await world.someone('Cleo');
  const id = await (direction === 'to Ada' ? request(world, other, world.owner) : request(world, world.owner, other));
  return { params: { id } };
}

const requests: Row[] = [
  forAll(friends.listFriends),
  forAll(friends.listFriendRequests),
  forAll(friends.listBlocks),
  ...([friends.acceptFriendRequest, friends.declineFriendRequest] as const).flatMap((endpoint) => [
    ofAda(endpoint, { on: 'a request to Ada', others: 'friend_request_not_found' }, (world) =>
      newRequest(world, 'to Ada'),
    ),
    ofAda(endpoint, { on: 'a request of Ada', may: [], others: 'friend_request_not_found' }, (world) =>
      newRequest(world, 'of Ada'),
    ),
    nobodys(endpoint, 'friend_request_not_found', () => ({ params: { id: anyId() } })),
  ]),
  ofAda(friends.cancelFriendRequest, { on: 'a request of Ada', others: 'friend_request_not_found' }, (world) =>
    newRequest(world, 'of Ada'),
  ),
  ofAda(friends.cancelFriendRequest, { on: 'a request to Ada', may: [], others: 'friend_request_not_found' }, (world) =>
    newRequest(world, 'to Ada'),
  ),
  nobodys(friends.cancelFriendRequest, 'friend_request_not_found', () => ({ params: { id: anyId() } })),
  ofAda(friends.removeFriend, { on: 'a friendship of Ada', others: 'friend_not_found' }, async (world) => ({
    params: { id: (await world.friendOf(world.owner)).friendship_id },
  })),
  nobodys(friends.removeFriend, 'friend_not_found', () => ({ params: { id: anyId() } })),
  ofAda(friends.unblockUser, { on: 'a block of Ada', others: 'nothing' }, async (world) => {
    const { user } = await world.someone('Dan');
    await must(world.api, world.owner, 'POST', friends.blockUser.path, { user_id: user.id });
    return { params: { id: user.id } };
  }),
  nobodys(friends.unblockUser, 'nothing', () => ({ params: { id: anyId() } })),
  nobodys(friends.blockUser, 'user_not_found', () => ({ body: { user_id: anyId() } })),
];

/** In the caller's own chat with a new friend. */
async function sendIdOfAda(world: MatrixWorld, who: Someone): Promise<Call> {
  const { friend } = await world.friendOf(who);
  const { id } = await must(world.api, who, 'POST', chats.createChat.path, { receiver_id: friend.user.id });
  const [client_id] = world.circle.people.chats.participant.message_ids;
  return { params: { chat_id: id }, body: { message: 'Hello', client_id } };
}

const conversations: Row[] = [
  forAll(chats.listChats),
  ofAda(chats.listMessages, { on: 'the chat of Ada and Ben', may: PAIR, others: 'chat_not_found' }, ({ circle }) => ({
    params: { chat_id: circle.people.chats.participant.id },
  })),
  nobodys(chats.listMessages, 'chat_not_found', () => ({ params: { chat_id: anyId() } })),
  ofAda(chats.sendMessage, { on: 'the chat of Ada and Ben', may: PAIR, others: 'chat_not_found' }, ({ circle }) => ({
    params: { chat_id: circle.people.chats.participant.id },
    // Each sender makes an id.
    body: { message: 'Hello' },
  })),
  ofAda(
    chats.sendMessage,
    {
      on: 'the chat of Ada and a former friend',
      may: [],
      others: 'chat_not_found',
      except: { owner: 'chat_closed', ex_friend: 'chat_closed' },
    },
    ({ circle }) => ({ params: { chat_id: circle.people.chats.ex_friend.id }, body: TEXT() }),
  ),
  nobodys(chats.sendMessage, 'idempotency_mismatch', sendIdOfAda, {
    on: 'the id of a message of Ada',
    is_for_each: true,
    callers: USERS,
  }),
  nobodys(chats.sendMessage, 'chat_not_found', () => ({ params: { chat_id: anyId() }, body: TEXT() })),
  ofAda(chats.reportTyping, { on: 'the chat of Ada and Ben', may: PAIR, others: 'chat_not_found' }, ({ circle }) => ({
    params: { chat_id: circle.people.chats.participant.id },
  })),
  nobodys(chats.reportTyping, 'chat_not_found', () => ({ params: { chat_id: anyId() } })),
  ofAda(
    chats.markMessagesRead,
    { on: 'the chat of Ada and Ben', may: PAIR, others: 'chat_not_found' },
    ({ circle }) => {
      const { id, message_ids } = circle.people.chats.participant;
      return { params: { chat_id: id }, body: { messageIds: message_ids } };
    },
  ),
  ofAda(
    chats.markMessagesRead,
    {
      on: "another chat's messages",
      may: [],
      others: 'chat_not_found',
      except: { owner: 'message_not_found', friend: 'message_not_found' },
    },
    ({ circle: { people } }) => ({
      params: { chat_id: people.chats.friend.id },
      body: { messageIds: people.chats.participant.message_ids },
    }),
  ),
  ofAda(
    chats.markMessagesRead,
    {
      on: 'messages that do not exist, in the chat of Ada and Ben',
      may: [],
      others: 'chat_not_found',
      except: { owner: 'message_not_found', participant: 'message_not_found' },
    },
    ({ circle }) => ({ params: { chat_id: circle.people.chats.participant.id }, body: { messageIds: [anyId()] } }),
  ),
  nobodys(chats.markMessagesRead, 'chat_not_found', () => ({
    params: { chat_id: anyId() },
    body: { messageIds: [anyId()] },
  })),
];

const people: Row[] = [
  ofAda(
    reports.reportUser,
    {
      on: 'messages of Ada and Ben',
      may: ['participant'],
      others: 'message_not_found',
      except: { owner: 'user_not_found' },
    },
    ({ circle, owner }) => {
      const { message_ids } = circle.people.chats.participant;
      return { body: { client_id: anyId(), user_id: owner.user.id, reason: 'spam', message_ids } };
    },
  ),
  ofAda(
    reports.reportUser,
    { on: 'the id of a report of Ada', may: [], others: 'idempotency_mismatch', except: { owner: 'nothing' } },
    ({ report }) => ({ body: report }),
  ),
  nobodys(
    reports.reportUser,
    'message_not_found',
    async (world) => {
      const { user } = await world.someone('Dan');
      return { body: { client_id: anyId(), user_id: user.id, reason: 'harassment', message_ids: [anyId()] } };
    },
    { on: `${NOTHING}, a message` },
  ),
  nobodys(reports.reportUser, 'user_not_found', () => ({
    body: { client_id: anyId(), user_id: anyId(), reason: 'spam' },
  })),
  ofAda(
    friends.searchFriend,
    { on: "Ada's public id", may: 'everyone', others: 'ok', except: HIDDEN, reveals: ADA },
    ({ owner }) => ({
      body: { public_id: owner.user.public_id },
    }),
  ),
  nobodys(friends.searchFriend, 'user_not_found', () => ({ body: { public_id: `no-${anyId().slice(0, 8)}` } })),
  ofAda(
    chats.createChat,
    { on: 'Ada', may: ['friend', 'participant', 'ex_friend'], others: 'user_not_found' },
    ({ owner }) => ({ body: { receiver_id: owner.user.id } }),
  ),
  nobodys(chats.createChat, 'user_not_found', () => ({ body: { receiver_id: anyId() } })),
  ofAda(
    friends.requestFriend,
    { on: 'the key of a request of Ada', may: [], others: 'idempotency_mismatch', except: { owner: 'nothing' } },
    async (world) => {
      const { api, owner } = world;
      const key = { 'idempotency-key': anyId() };
      const body = { receiver_public_id: (await world.someone('Cleo')).user.public_id };
      await must(api, { headers: { ...owner.headers, ...key } }, 'POST', friends.requestFriend.path, body);
      return { headers: key, body };
    },
  ),
  nobodys(friends.requestFriend, 'user_not_found', () => ({
    body: { receiver_public_id: `no-${anyId().slice(0, 8)}` },
  })),
];

/** Each admitted caller asks, reports and blocks Ada: what comes after it finds other relations. */
export const LAST_ROWS_OF_PEOPLE: Row[] = [
  ofAda(
    reports.reportUser,
    { on: 'Ada', may: 'everyone', others: 'ok', except: { owner: 'user_not_found' } },
    ({ owner }) => ({
      body: { client_id: anyId(), user_id: owner.user.id, reason: 'cheating', text: 'Seen elsewhere' },
    }),
  ),
  ofAda(
    friends.requestFriend,
    {
      on: "Ada's public id",
      may: 'everyone',
      others: 'ok',
      except: { ...HIDDEN, owner: 'cannot_befriend_self' },
      reveals: ADA,
    },
    ({ owner }) => ({ body: { receiver_public_id: owner.user.public_id } }),
  ),
  ofAda(
    friends.blockUser,
    { on: 'Ada', may: 'everyone', others: 'ok', except: { owner: 'user_not_found' }, reveals: ADA },
    ({ owner }) => ({ body: { user_id: owner.user.id } }),
  ),
];

export const ROWS_OF_PEOPLE: Row[] = [...requests, ...conversations, ...people];
