import { expect } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import {
  closeAll,
  friendRows,
  join,
  newRequest,
  receivedRequests,
  search,
  searchCard,
  sentRequests,
  showNewRequest,
} from './screens/friends-page.ts';

test('a request is sent, declined, cancelled, accepted and the friendship ended, live on both screens [spec 1.friends.by-public-id, 2.friends.screen, 3.friend.search, 3.friend.receiver, 4.friend-request.search, 4.friend-request.pending, 4.friend-request.accepted, 4.friend-request.declined, 4.friend-request.cancelled, 4.friend.removed, 8.friends.not-found]', async ({
  browser,
  server,
}) => {
  const ana = await join(browser, server, 'Ana');
  const ben = await join(browser, server, 'Ben');
  await expect(ana.main.getByRole('heading', { name: 'No friends here yet' })).toBeVisible();

  await search(ana, 'Ben!');
  await expect(ana.main.getByRole('alert')).toContainText('No capital letters');
  await search(ana, 'sl-unused-id');
  await expect(ana.main.getByRole('alert')).toHaveText('User not found');
  await search(ana, ana.public_id);
  await expect(searchCard(ana)).toContainText("That's you");
  await search(ana, ben.public_id);
  await expect(searchCard(ana)).toContainText('Ben');

  await searchCard(ana).getByRole('button', { name: 'Add friend' }).press('Enter');
  await expect(searchCard(ana)).toContainText('Request sent');
  await showNewRequest(ben);
  await expect(receivedRequests(ben)).toContainText(ana.public_id);
  const profile = ben.page.getByRole('navigation').getByRole('link', { name: 'Profile' });
  await expect(profile).toHaveAccessibleName('Profile 1 friend request waits for you');
  await receivedRequests(ben).getByRole('button', { name: 'Decline Ana' }).press('Enter');
  await expect(receivedRequests(ben)).toHaveCount(0);
  await expect(ben.page.getByText('You declined the request of Ana')).toBeVisible();
  await expect(searchCard(ana).getByRole('button', { name: 'Add friend' })).toBeVisible();
  await expect(profile).toHaveAccessibleName('Profile');

  await searchCard(ana).getByRole('button', { name: 'Add friend' }).click();
  await expect(newRequest(ben)).toBeVisible();
  // The card of the search shows the request, and the list of those sent has it once the card is gone.
  await expect(sentRequests(ana)).toHaveCount(0);
  await searchCard(ana).getByRole('button', { name: 'Cancel request' }).click();
  await expect(searchCard(ana).getByRole('button', { name: 'Add friend' })).toBeVisible();
  await expect(newRequest(ben)).toHaveCount(0);

  await searchCard(ana).getByRole('button', { name: 'Add friend' }).click();
  await showNewRequest(ben);
  await receivedRequests(ben).getByRole('button', { name: 'Accept Ana' }).press('Enter');
  await expect(friendRows(ben)).toContainText('Ana');
  await expect(friendRows(ana)).toContainText('Ben');
  await expect(searchCard(ana)).toContainText('Friends');
  await expect(receivedRequests(ben)).toHaveCount(0);

  await friendRows(ana).getByRole('button', { name: 'Ben', exact: false }).first().press('Enter');
  const sheet = ana.page.getByRole('dialog', { name: /^(Profile|Remove Ben\?)$/ });
  await expect(sheet).toBeFocused();
  await sheet.getByRole('button', { name: 'Remove friend' }).press('Enter');
  await expect(sheet).toContainText('Remove Ben?');
  await expect(sheet).toBeFocused();
  await sheet.getByRole('button', { name: 'Remove friend' }).press('Enter');
  await expect(sheet).toHaveCount(0);
  await expect(friendRows(ana)).toHaveCount(0);
  await expect(friendRows(ben)).toHaveCount(0);
  for (const { page } of [ana, ben]) await expect(page.locator('body')).toHaveAttribute('data-same-page', '');
  await closeAll([ana, ben]);
});
