import {
  acceptFriendRequest,
  cancelFriendRequest,
  declineFriendRequest,
  listFriendRequests,
  listFriends,
  removeFriend,
  requestFriend,
} from '@sendlap/contract/friends.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { FriendModel } from '../models/friend-model.ts';
import { openApp } from '../open-app.ts';
import { athlete, EVE, MAX, NORA } from '../people.ts';
import {
  addSection,
  askedByMe,
  friendsSection,
  openPerson,
  requestsToMe,
  searchFor,
} from '../scenes/friends-screen.ts';

const DORA = athlete('Dora', 4);

/** A conflict with a detail of its own, or without. */
function conflict(detail: string | null): () => Response {
  return () => (detail === null ? new Response('', { status: 409 }) : Response.json({ detail }, { status: 409 }));
}

/** Opens the screen with Dora as a friend and a request from Max; Eve can be found. */
async function openFriends(prepare: NonNullable<Parameters<typeof openApp>[0]>['prepare'] = () => {}) {
  let model: FriendModel | undefined;
  const phone = await openApp({
    path: '/friends',
    prepare: (server) => {
      model = new FriendModel(server, NORA, [EVE, MAX, DORA]);
      model.befriend(DORA);
      model.ask(MAX);
      prepare(server);
    },
  });
  await phone.server.stream.opened();
  return { phone, model };
}

/** Expects a failure toast that screen readers announce at once, title and text. */
async function expectToast(title: string, text: string): Promise<void> {
  const texts = () => screen.queryAllByRole('alert').map(({ textContent }) => textContent);
  await waitFor(() => expect(texts()).toContain(title + text));
}

test('a request that fails says what failed, and why where the server says so [spec 8.friends.send, 8.friends.accept, 8.friends.decline, 8.friends.cancel, 8.friends.api-message]', async () => {
  const { phone, model } = await openFriends();
  const { user, server } = phone;
  await searchFor(phone, EVE.public_id);
  const add = within(await addSection());
  server.replyRaw(requestFriend, conflict('Not today'));
  await user.click(await add.findByRole('button', { name: 'Add friend' }));
  await expectToast('Failed to send friend request', 'Not today');
  server.heal(requestFriend);
  await user.click(await add.findByRole('button', { name: 'Add friend' }));
  await add.findByText('Request sent');
  await user.clear(add.getByRole('textbox'));
  await within(await askedByMe()).findByText('Eve');

  server.replyRaw(acceptFriendRequest, conflict('No accepting'));
  await user.click(await within(await requestsToMe()).findByRole('button', { name: 'Accept Max' }));
  await expectToast('Failed to accept friend request', 'No accepting');
  server.replyRaw(declineFriendRequest, conflict('No declining'));
  await user.click(await within(await requestsToMe()).findByRole('button', { name: 'Decline Max' }));
  await expectToast('Failed to decline friend request', 'No declining');
  await within(await requestsToMe()).findByRole('button', { name: 'Decline Max' });
  server.replyRaw(cancelFriendRequest, conflict('No cancelling'));
  await user.click(within(await askedByMe()).getByRole('button', { name: 'Cancel request to Eve' }));
  await expectToast('Failed to cancel friend request', 'No cancelling');
  await within(await askedByMe()).findByText('Eve');
  expect(model?.requests()).toEqual(['outgoing Eve', 'incoming Max']);
});

test('a friendship that could not be ended says so where it was tried [spec 8.friends.remove]', async () => {
  const { phone, model } = await openFriends();
  phone.server.replyRaw(removeFriend, conflict(null));
  const profile = await openPerson(phone, 'Dora');
  await phone.user.click(within(profile).getByRole('button', { name: 'Remove friend' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Remove Dora?' }));
  await phone.user.click(sheet.getByRole('button', { name: 'Remove friend' }));
  expect((await sheet.findByRole('alert')).textContent).toMatch('Failed to remove friend');
  await phone.user.keyboard('{Escape}');
  await within(await friendsSection()).findByText('Dora');
  expect(model?.friends()).toEqual(['Dora']);
});

test('lists that cannot be read say which and why, and Retry of each reads it [spec 8.friends.load, 8.friends.load-requests, 8.friends.api-message]', async () => {
  const { phone } = await openFriends((fake) => {
    fake.replyRaw(listFriends, conflict('Closed for cleaning'));
    fake.replyRaw(listFriendRequests, conflict(null));
  });
  const { user, server } = phone;
  const alertWith = async (title: string) => {
    const heading = await screen.findByRole('heading', { name: title });
    const alert = screen.getAllByRole('alert').find((one) => one.contains(heading));
    if (!alert) throw new Error(`"${title}" is not in an alert`);
    return alert;
  };
  expect((await alertWith('Failed to load friends')).textContent).toMatch('Closed for cleaning');
  for (const [title, list, person] of [
    ['Failed to load friend requests', listFriendRequests, 'Max'],
    ['Failed to load friends', listFriends, 'Dora'],
  ] as const) {
    const held = server.hold(list);
    await user.click(within(await alertWith(title)).getByRole('button', { name: 'Retry' }));
    await held.arrived;
    await waitFor(() => expect(screen.queryByRole('heading', { name: title })).toBeNull());
    held.release();
    const refused_again = await alertWith(title);
    server.heal(list);
    await user.click(within(refused_again).getByRole('button', { name: 'Retry' }));
    await screen.findByText(person);
    expect(screen.queryByRole('heading', { name: title })).toBeNull();
  }
});
