import {
  acceptFriendRequest,
  cancelFriendRequest,
  changePublicId,
  declineFriendRequest,
  type Friend,
  type FriendRequest,
  listBlocks,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
  searchFriend,
} from '@sendlap/contract/friends.ts';
import { expect, test } from 'vitest';
import { createTab, EVE, NORA, refusal, tokenOf } from '#test/unit/fake-server.ts';
import type { Call } from '../api/call.ts';

const ID = '22222222-2222-4222-8222-222222222222';
const FRIEND: Friend = { id: ID, friend_id: EVE.id, friend_name: 'Eve', friend_public_id: 'eve' };
const PERSON = { id: EVE.id, name: 'Eve', public_id: 'eve' };
const REQUEST: FriendRequest = {
  id: ID,
  direction: 'incoming',
  user: PERSON,
  created_at: '2026-11-22T10:00:00.000Z',
};
const FOUND = { ...PERSON, relation: 'none', request_id: null, friendship_id: null };

/** Every friends endpoint: its call and a reply of the server. */
const CALLS: [string, unknown, (call: Call) => Promise<unknown>][] = [
  ['GET /v1/friends', [FRIEND], (call) => call(listFriends, {})],
  ['GET /v1/friends/requests/pending', [REQUEST], (call) => call(listFriendRequests, {})],
  ['POST /v1/friends/search', FOUND, (call) => call(searchFriend, { body: { public_id: 'eve' } })],
  [
    'POST /v1/friends/request',
    { status: 'accepted', friend: FRIEND },
    (call) => call(requestFriend, { body: { receiver_public_id: 'eve' } }),
  ],
  [`POST /v1/friends/request/${ID}/accept`, FRIEND, (call) => call(acceptFriendRequest, { params: { id: ID } })],
  [`POST /v1/friends/request/${ID}/decline`, {}, (call) => call(declineFriendRequest, { params: { id: ID } })],
  [`DELETE /v1/friends/request/${ID}`, {}, (call) => call(cancelFriendRequest, { params: { id: ID } })],
  [`DELETE /v1/friends/${ID}`, {}, (call) => call(removeFriend, { params: { id: ID } })],
  ['PUT /v1/friends/public-id', { public_id: 'nora' }, (call) => call(changePublicId, { body: { public_id: 'nora' } })],
  ['GET /v1/friends/blocks', [], (call) => call(listBlocks, {})],
];

function signedIn(answers: Record<string, () => Response>) {
  const tab = createTab(answers, undefined, NORA);
  tab.token.set(tokenOf(NORA.id), 600);
  return tab;
}

test.each(CALLS)(
  '%s is understood in one envelope, in two, in two levels of data, and bare [spec 7.friends.wrapped]',
  async (name, data, make) => {
    for (const body of [
      { success: true, data },
      { success: true, data: { success: true, data } },
      { data: { data } },
      data,
    ]) {
      const tab = signedIn({ [name]: () => Response.json(body) });
      expect([body, await make(tab.call)]).toEqual([body, data]);
    }
  },
);

test.each(CALLS)('%s shows the server’s text of a failure [spec 8.friends.api-message]', async (name, _, make) => {
  const ours = signedIn({ [name]: () => refusal(409, 'conflict') });
  await expect(make(ours.call)).rejects.toMatchObject({ backend_error: 'conflict', status: 409 });
  const another = signedIn({ [name]: () => Response.json({ detail: 'Not today' }, { status: 409 }) });
  await expect(make(another.call)).rejects.toMatchObject({ message: 'Not today', server_message: 'Not today' });
});
