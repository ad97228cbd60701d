import { expect, type Page } from '@playwright/test';
import { test } from './fixtures.ts';
import { befriend } from './friends.ts';
import { asked, closeAll, found, friends, join, search, waiting } from './friends-page.ts';
import { retryAround } from './retry.ts';

/** Answers calls to a path with a conflict whose body says something, or nothing of its own. */
async function breakCalls(page: Page, method: string, path: RegExp, said: string | null): Promise<void> {
  const failure =
    said === null
      ? { status: 409, body: '' }
      : { status: 409, body: JSON.stringify({ detail: said }), contentType: 'application/json' };
  await page.route(path, (route) => (route.request().method() === method ? route.fulfill(failure) : route.fallback()));
}

test('what fails says what failed, and why where the server says so [spec 8.friends.load, 8.friends.load-requests, 8.friends.send, 8.friends.accept, 8.friends.decline, 8.friends.cancel, 8.friends.remove, 8.friends.api-message]', async ({
  browser,
  server,
}) => {
  const ana = await join(browser, server, 'Ana');
  const [ben, cleo, dora] = [
    await join(browser, server, 'Ben'),
    await join(browser, server, 'Cleo'),
    await join(browser, server, 'Dora'),
  ];
  const { page, main } = ana;
  const said = async (...texts: string[]) => {
    for (const text of texts) await expect(page.getByText(text).first()).toBeVisible();
  };
  await befriend(server, ana, dora);
  await search(cleo, ana.public_id);
  await found(cleo).getByRole('button', { name: 'Add friend' }).click();
  await expect(waiting(ana)).toContainText('Cleo');
  await search(ana, ben.public_id);

  await breakCalls(page, 'POST', /\/friends\/request$/, 'Not today');
  await found(ana).getByRole('button', { name: 'Add friend' }).click();
  await said('Failed to send friend request', 'Not today');
  await page.unrouteAll();
  await found(ana).getByRole('button', { name: 'Add friend' }).click();
  await expect(asked(ana)).toContainText('Ben');

  await breakCalls(page, 'POST', /\/accept$/, 'Nobody accepts');
  await waiting(ana).getByRole('button', { name: 'Accept Cleo' }).click();
  await said('Failed to accept friend request', 'Nobody accepts');
  await breakCalls(page, 'POST', /\/decline$/, 'Nobody declines');
  await waiting(ana).getByRole('button', { name: 'Decline Cleo' }).click();
  await said('Failed to decline friend request', 'Nobody declines');
  await expect(waiting(ana)).toContainText('Cleo');
  await breakCalls(page, 'DELETE', /\/friends\/request\//, 'Nobody cancels');
  await asked(ana).getByRole('button', { name: 'Cancel request to Ben' }).click();
  await said('Failed to cancel friend request', 'Nobody cancels');
  await expect(asked(ana)).toContainText('Ben');

  await page.reload();
  await friends(ana).getByRole('button', { name: /^Dora/ }).click();
  await breakCalls(page, 'DELETE', /\/friends\/[^/]+$/, null);
  const sheet = page.getByRole('dialog', { name: /^(Profile|Remove Dora\?)$/ });
  await sheet.getByRole('button', { name: 'Remove friend' }).click();
  await sheet.getByRole('button', { name: 'Remove friend' }).click();
  await expect(sheet.getByRole('alert')).toContainText('Failed to remove friend');
  await page.keyboard.press('Escape');

  const [list, requests] = [/\/v1\/friends\/?$/, /\/requests\/pending$/];
  await breakCalls(page, 'GET', list, 'Closed for cleaning');
  await breakCalls(page, 'GET', requests, null);
  await page.goto('/friends');
  const lists = main.getByRole('alert');
  await expect(lists.filter({ hasText: 'Failed to load friends' })).toContainText('Closed for cleaning');
  await expect(lists.filter({ hasText: 'Failed to load friend requests' })).toBeVisible();
  await retryAround(lists.filter({ hasText: 'Failed to load friend requests' }), requests, () =>
    page.unroute(requests),
  );
  await retryAround(lists.filter({ hasText: 'Failed to load friends' }), list, () => page.unroute(list));
  await expect(friends(ana)).toContainText('Dora');
  await closeAll([ana, ben, cleo, dora]);
});
