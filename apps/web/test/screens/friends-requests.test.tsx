import { listFriendRequests } from '@sendlap/contract/friends.ts';
import { reportUser } from '@sendlap/contract/reports.ts';
import type { User } from '@sendlap/contract/users.ts';
import { screen, waitFor, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { FriendModel } from '../models/friend-model.ts';
import { openApp } from '../open-app.ts';
import { EVE, MAX, NORA } from '../people.ts';
import {
  addSection,
  askedByMe,
  friendsSection,
  openPerson,
  searchFor,
  showNewRequest,
} from '../scenes/friends-screen.ts';

/** Opens the friends screen of Nora, whose stream is open. */
async function openFriends(befriended: User[] = []) {
  let model: FriendModel | undefined;
  const phone = await openApp({
    path: '/friends',
    prepare: (server) => {
      model = new FriendModel(server, NORA, [EVE, MAX]);
      model.befriend(...befriended);
    },
  });
  await phone.server.stream.opened();
  if (!model) throw new Error('the app was opened without its friends');
  return { phone, model };
}

test('a search says what an id looks like, that it is mine, and that no athlete has it', async () => {
  const { phone } = await openFriends();
  await screen.findByRole('heading', { name: 'No friends here yet' });
  await searchFor(phone, 'Eve!');
  await screen.findByText(/No capital letters/);
  await searchFor(phone, 'unused-id');
  expect((await within(await addSection()).findByRole('alert')).textContent).toBe('User not found');
  await searchFor(phone, NORA.public_id);
  await within(await addSection()).findByText("That's you");
});

test('a request that arrives late moves nothing on the screen: it is shown when the athlete wants to see it', async () => {
  const { phone, model } = await openFriends([MAX]);
  await within(await friendsSection()).findByText('Max');
  const first = (await addSection()).parentElement?.previousElementSibling;
  expect(first?.textContent).toBe('');
  model.ask(EVE);
  const late = await screen.findByRole('button', { name: '1 new request' });
  expect(late.closest('header')).not.toBeNull();
  expect(first?.textContent).toBe('');
  await phone.user.click(late);
  within(first as HTMLElement).getByRole('button', { name: 'Accept Eve' });
  expect(screen.queryByRole('button', { name: /new request/ })).toBeNull();
  expect(screen.getByRole('main').contains(document.activeElement)).toBe(true);
});

test('a request that waits is counted at the way to it, and its answer ends both', async () => {
  const { phone, model } = await openFriends();
  await screen.findByRole('heading', { name: 'No friends here yet' });
  model.ask(EVE);
  await showNewRequest(phone);
  const decline = await screen.findByRole('button', { name: 'Decline Eve' });
  await screen.findByRole('link', { name: /^Profile ?1 friend request waits for you$/ });
  decline.focus();
  await phone.user.keyboard('{Enter}');
  await screen.findByText('You declined the request of Eve');
  expect(screen.queryByRole('button', { name: 'Decline Eve' })).toBeNull();
  await screen.findByRole('link', { name: 'Profile' });
  expect(model.requests()).toEqual([]);

  model.ask(MAX);
  await showNewRequest(phone);
  await phone.user.click(await screen.findByRole('button', { name: 'Accept Max' }));
  await within(await friendsSection()).findByText('Max');
  expect(screen.queryByRole('button', { name: 'Accept Max' })).toBeNull();
  expect(model.friends()).toEqual(['Max']);
});

test('a request of mine is taken back, declined and accepted, and the screen shows it live', async () => {
  const { phone, model } = await openFriends();
  await searchFor(phone, EVE.public_id);
  const add = () => within(screen.getByRole('region', { name: 'Add a friend' }));
  await phone.user.click(await add().findByRole('button', { name: 'Add friend' }));
  await add().findByText('Request sent');
  // The card of the search shows the request already.
  expect(screen.queryByRole('region', { name: 'Requests sent' })).toBeNull();
  await phone.user.click(add().getByRole('button', { name: 'Cancel request' }));
  await phone.user.click(await add().findByRole('button', { name: 'Add friend' }));
  await add().findByText('Request sent');
  await phone.user.clear(add().getByRole('textbox'));
  await phone.user.click(await within(await askedByMe()).findByRole('button', { name: 'Cancel request to Eve' }));
  await searchFor(phone, EVE.public_id);
  await phone.user.click(await add().findByRole('button', { name: 'Add friend' }));
  await add().findByText('Request sent');
  model.answer(EVE, 'declined');
  const again = await add().findByRole('button', { name: 'Add friend' });
  expect(screen.queryByRole('region', { name: 'Requests sent' })).toBeNull();
  await phone.user.click(again);
  await add().findByText('Request sent');
  model.answer(EVE, 'accepted');
  await within(await friendsSection()).findByText('Eve');
  await add().findByText('Friends');
  expect(screen.queryByRole('region', { name: 'Requests sent' })).toBeNull();

  model.endFriendship(EVE);
  await screen.findByRole('heading', { name: 'No friends here yet' });
});

test('requests that cross make friends, where mine is sent before theirs is known', async () => {
  const { phone, model } = await openFriends();
  await searchFor(phone, EVE.public_id);
  const found = within(within(await addSection()).getByRole('status'));
  await found.findByRole('button', { name: 'Add friend' });
  phone.setOnline(false);
  expect(await found.findByRole('button', { name: 'Add friend: Needs a connection' })).toHaveProperty('disabled', true);
  const held = phone.server.hold(listFriendRequests);
  model.ask(EVE);
  phone.setOnline(true);
  await phone.user.click(await found.findByRole('button', { name: 'Add friend' }));
  await waitFor(() => expect(model.friends()).toEqual(['Eve']));
  held.release();
  await screen.findByText('You and Eve are friends');
  await within(await friendsSection()).findByText('Eve');
});

test('a friend who is reported and blocked is gone and is not found, until the block is taken back', async () => {
  const { phone, model } = await openFriends([EVE]);
  const { user } = phone;
  await user.click(within(await openPerson(phone, 'Eve')).getByRole('button', { name: 'Report' }));
  const sheet = within(await screen.findByRole('dialog', { name: 'Report Eve' }));
  const send = sheet.getByRole('button', { name: 'Send report' });
  expect(send).toHaveProperty('disabled', true);
  await user.click(sheet.getByRole('button', { name: 'Spam' }));
  const text = sheet.getByRole('textbox', { name: /^What happened\?/ });
  await user.click(text);
  await user.paste('😀'.repeat(1001));
  expect((await sheet.findByRole('alert')).textContent).toMatch('1 too many');
  expect(send).toHaveProperty('disabled', true);
  await user.clear(text);
  await user.paste('Sends the same link every day');
  await user.click(sheet.getByRole('switch', { name: 'Block Eve too' }));
  const id = crypto.randomUUID();
  phone.server.on(reportUser, () => ({ id }));
  await user.click(send);
  await screen.findByRole('heading', { name: 'No friends here yet' });
  expect(screen.queryByRole('dialog', { name: 'Report Eve' })).toBeNull();
  const said = { user_id: EVE.id, reason: 'spam', text: 'Sends the same link every day' };
  expect(phone.server.asked(reportUser).map(({ body }) => body)).toMatchObject([said]);
  expect(model.friends()).toEqual([]);

  await searchFor(phone, EVE.public_id);
  expect((await within(await addSection()).findByRole('alert')).textContent).toBe('User not found');
  await user.click(screen.getByRole('button', { name: 'Blocked people' }));
  const blocked = await screen.findByRole('dialog', { name: 'Blocked people' });
  await user.click(await within(blocked).findByRole('button', { name: 'Unblock Eve' }));
  await within(blocked).findByText('You have not blocked anyone.');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Blocked people' })).toBeNull());
  await searchFor(phone, EVE.public_id);
  await within(await addSection()).findByText('Eve');
});

test('a friend who blocks me leaves the open list, and is not found', async () => {
  const { phone, model } = await openFriends([EVE, MAX]);
  await within(await friendsSection()).findByText('Eve');
  model.block(EVE);
  await waitFor(async () => expect(within(await friendsSection()).queryByText('Eve')).toBeNull());
  await searchFor(phone, EVE.public_id);
  expect((await within(await addSection()).findByRole('alert')).textContent).toBe('User not found');
});
