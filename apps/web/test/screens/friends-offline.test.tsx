import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { FriendModel } from '../models/friend-model.ts';
import { openApp } from '../open-app.ts';
import { EVE, MAX, NORA } from '../people.ts';
import { friendsSection, requestsToMe } from '../scenes/friends-screen.ts';

test('without a network the screen shows the friends it knows, their age, and what needs the network', async () => {
  let model: FriendModel | undefined;
  const phone = await openApp({
    path: '/profile',
    prepare: (server) => {
      model = new FriendModel(server, NORA, [EVE, MAX]);
      model.befriend(EVE);
      model.ask(MAX);
    },
  });
  const { user } = phone;
  const friendsLink = () => within(screen.getByRole('main')).findByRole('link', { name: /^Friends/ });
  const expectKnown = async () => {
    await screen.findByText(/^You're offline\. Last updated: /);
    await within(await friendsSection()).findByText('Eve');
    const requests = within(await requestsToMe());
    expect(requests.getByRole('button', { name: 'Accept Max' })).toHaveProperty('disabled', true);
    expect(requests.getByRole('button', { name: 'Decline Max' })).toHaveProperty('disabled', true);
    requests.getByText('Needs a connection');
  };
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  await user.click(await friendsLink());
  await within(await friendsSection()).findByText('Eve');
  phone.setOnline(false);
  await user.click(screen.getByRole('button', { name: 'Back' }));
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  await user.click(await friendsLink());
  await expectKnown();
  // The reload drops the page's memory: only data saved on the device is left.
  await phone.reload();
  await expectKnown();

  phone.setOnline(true);
  await user.click(await within(await requestsToMe()).findByRole('button', { name: 'Accept Max' }));
  const friends = within(await friendsSection());
  await friends.findByText('Max');
  expect(friends.getAllByRole('listitem')).toHaveLength(2);
  expect(model?.friends()).toEqual(['Eve', 'Max']);
});

test('without a network a list that was never loaded is no failure, and comes with the network', async () => {
  const phone = await openApp({
    path: '/profile',
    prepare: (server) => new FriendModel(server, NORA, [EVE, MAX]).befriend(EVE),
  });
  await screen.findByRole('heading', { level: 1, name: 'Profile' });
  phone.setOnline(false);
  await phone.user.click(await within(screen.getByRole('main')).findByRole('link', { name: /^Friends/ }));
  await screen.findByRole('heading', { name: "Your friends aren't on this device yet" });
  expect(screen.queryByRole('alert')).toBeNull();
  phone.setOnline(true);
  await within(await friendsSection()).findByText('Eve');
});

test('without a network a button that needs it is disabled and still says what it does', async () => {
  const phone = await openApp({ path: '/friends', prepare: (server) => new FriendModel(server, NORA, [EVE]) });
  await screen.findByRole('button', { name: 'Search' });
  phone.setOnline(false);
  const search = await screen.findByRole('button', { name: 'Search: Needs a connection' });
  expect(search).toHaveProperty('disabled', true);
});
