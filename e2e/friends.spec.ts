import { expect } from '@playwright/test';
import { encodeFriendCode, qrUrl } from '../packages/domain/src/qr-code.ts';
import { PASSWORD, signUp } from './athlete.ts';
import { test } from './fixtures.ts';
import { befriend } from './friends.ts';
import { asked, closeAll, found, friends, join, openFriends, search, section, waiting } from './friends-page.ts';
import { LOOKS, look, lookAtScreen } from './look.ts';

test('a request is sent, declined, cancelled, accepted and the friendship ended, live on both screens [spec 1.friends.by-public-id, 2.friends.screen, 3.friend.search, 3.friend.receiver, 4.friend-request.search, 4.friend-request.pending, 4.friend-request.accepted, 4.friend-request.declined, 4.friend-request.cancelled, 4.friend.removed, 8.friends.not-found]', async ({
  browser,
  server,
}) => {
  const ana = await join(browser, server, 'Ana');
  const ben = await join(browser, server, 'Ben');
  await expect(ana.main.getByRole('heading', { name: 'No friends here yet' })).toBeVisible();

  await search(ana, 'Ben!');
  await expect(ana.main.getByRole('alert')).toContainText('No capital letters');
  await search(ana, 'sl-nobody-has-it');
  await expect(ana.main.getByRole('alert')).toHaveText('User not found');
  await search(ana, ana.public_id);
  await expect(found(ana)).toContainText("That's you");
  await search(ana, ben.public_id);
  await expect(found(ana)).toContainText('Ben');

  await found(ana).getByRole('button', { name: 'Add friend' }).press('Enter');
  await expect(asked(ana)).toContainText('Ben');
  await expect(waiting(ben)).toContainText(ana.public_id);
  const profile = ben.page.getByRole('navigation').getByRole('link', { name: 'Profile' });
  await expect(profile).toHaveAccessibleName('Profile 1 friend request waits for you');
  await waiting(ben).getByRole('button', { name: 'Decline Ana' }).press('Enter');
  await expect(waiting(ben)).toHaveCount(0);
  await expect(ben.page.getByText('You declined the request of Ana')).toBeVisible();
  await expect(asked(ana)).toHaveCount(0);
  await expect(profile).toHaveAccessibleName('Profile');

  await found(ana).getByRole('button', { name: 'Add friend' }).click();
  await expect(waiting(ben)).toHaveCount(1);
  await asked(ana).getByRole('button', { name: 'Cancel request to Ben' }).click();
  await expect(asked(ana)).toHaveCount(0);
  await expect(waiting(ben)).toHaveCount(0);

  await found(ana).getByRole('button', { name: 'Add friend' }).click();
  await waiting(ben).getByRole('button', { name: 'Accept Ana' }).press('Enter');
  await expect(friends(ben)).toContainText('Ana');
  await expect(friends(ana)).toContainText('Ben');
  await expect(found(ana)).toContainText('Friends');
  await expect(waiting(ben)).toHaveCount(0);

  await friends(ana).getByRole('button', { name: 'Ben', exact: false }).first().press('Enter');
  const sheet = ana.page.getByRole('dialog', { name: /^(Profile|Remove Ben\?)$/ });
  await expect(sheet).toBeFocused();
  await sheet.getByRole('button', { name: 'Remove friend' }).press('Enter');
  await expect(sheet).toContainText('Remove Ben?');
  await expect(sheet).toBeFocused();
  await sheet.getByRole('button', { name: 'Remove friend' }).press('Enter');
  await expect(sheet).toHaveCount(0);
  await expect(friends(ana)).toHaveCount(0);
  await expect(friends(ben)).toHaveCount(0);
  for (const { page } of [ana, ben]) await expect(page.locator('body')).toHaveAttribute('data-same-page', '');
  await closeAll([ana, ben]);
});

test('requests that cross make friends; who is blocked and reported finds nobody, until the block is taken back', async ({
  browser,
  server,
}) => {
  const ana = await join(browser, server, 'Ana');
  const ben = await join(browser, server, 'Ben');
  await search(ana, ben.public_id);
  // Found before Ana asks, and his list of requests does not come: so his own request crosses hers.
  await search(ben, ana.public_id);
  await ben.page.route(/\/requests\/pending/, (route) => route.abort());
  await ben.context.setOffline(true);
  await found(ana).getByRole('button', { name: 'Add friend' }).click();
  await expect(asked(ana)).toHaveCount(1);
  await expect(found(ben).getByRole('button', { name: 'Needs a connection' })).toBeDisabled();
  await ben.context.setOffline(false);
  await found(ben).getByRole('button', { name: 'Add friend' }).click();
  // It is said once the lists are read again; against what is aborted each reading takes 6 s.
  await ben.page.unrouteAll();
  await expect(ben.page.getByText('You and Ana are friends')).toBeVisible();
  await expect(friends(ana)).toContainText('Ben');
  await expect(friends(ben)).toContainText('Ana');

  const sheet = ben.page.getByRole('dialog', { name: /^(Profile|Report Ana|Blocked people)$/ });
  await friends(ben).getByRole('button', { name: 'Ana', exact: false }).first().click();
  await sheet.getByRole('button', { name: 'Report' }).click();
  await expect(sheet.getByRole('button', { name: 'Send report' })).toBeDisabled();
  await sheet.getByRole('button', { name: 'Spam' }).click();
  await sheet.getByRole('textbox', { name: 'What happened?' }).fill('😀'.repeat(1001));
  await expect(sheet.getByRole('alert')).toContainText('1 too many');
  await sheet.getByRole('textbox', { name: 'What happened?' }).fill('Sends the same link every day');
  await sheet.getByRole('switch', { name: 'Block Ana too' }).click();
  await sheet.getByRole('button', { name: 'Send report' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(friends(ben)).toHaveCount(0);
  await expect(friends(ana)).toHaveCount(0);
  for (const [searcher, other] of [
    [ana, ben],
    [ben, ana],
  ] as const) {
    await search(searcher, other.public_id);
    await expect(searcher.main.getByRole('alert')).toHaveText('User not found');
  }

  await ben.main.getByRole('button', { name: 'Blocked people' }).click();
  await sheet.getByRole('button', { name: 'Unblock Ana' }).click();
  await expect(sheet).toContainText('You have not blocked anybody.');
  await ben.page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await search(ben, ana.public_id);
  await expect(found(ben)).toContainText('Ana');
  await closeAll([ana, ben]);
});

test('the screen shows what it knows without a network, in every look and on the smallest phone', async ({
  browser,
  server,
}) => {
  const ana = await join(browser, server, 'Ana');
  const [ben, cleo] = [await join(browser, server, 'Ben'), await join(browser, server, 'Cleo')];
  const { page, main, context } = ana;
  const ida = await join(browser, server, 'Ida');
  await befriend(server, ana, ida);
  await search(ben, ana.public_id);
  await found(ben).getByRole('button', { name: 'Add friend' }).click();
  await search(ana, cleo.public_id);
  await found(ana).getByRole('button', { name: 'Add friend' }).click();
  await expect(asked(ana)).toHaveCount(1);
  for (const [language, theme] of LOOKS) {
    await page.evaluate((choice) => localStorage.setItem('preferred-language', choice), language);
    await page.emulateMedia({ colorScheme: theme });
    await page.reload();
    await expect(main.getByRole('button', { name: /^(Accept|Aceptar a) Ben$/ })).toBeVisible();
    await main.getByRole('textbox', { name: /^(Public ID of|ID público de)/ }).fill(ida.public_id);
    await page.keyboard.press('Enter');
    await expect(main.getByRole('button', { name: /^(Message|Mensaje)$/ })).toBeVisible();
    await lookAtScreen(page, `friends-${language}-${theme}`);
    await page.setViewportSize({ width: 320, height: 640 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.setViewportSize({ width: 390, height: 844 });
    await main.getByRole('button', { name: /^Ida/ }).last().click();
    const sheet = page.getByRole('dialog', { name: /^(Profile|Perfil)$|Ida/ });
    for (const step of ['person', 'report', 'block'] as const) {
      if (step === 'report') await sheet.getByRole('button', { name: /^(Report|Denunciar)$/ }).click();
      if (step === 'block') {
        await page.keyboard.press('Escape');
        await main.getByRole('button', { name: /^Ida/ }).last().click();
        await sheet.getByRole('button', { name: /^(Block|Bloquear)$/ }).click();
      }
      await look(page, `friends-${step}-${language}-${theme}`);
    }
    await page.keyboard.press('Escape');
    await expect(sheet).toHaveCount(0);
  }
  await page.evaluate(() => localStorage.setItem('preferred-language', 'en'));
  await page.goto('/profile');
  await openFriends(page);
  await context.setOffline(true);
  await page.goBack();
  await openFriends(page);
  await expect(main.getByText(/^You're offline\. Last updated: /)).toBeVisible();
  await expect(friends(ana)).toContainText('Ida');
  await expect(waiting(ana).getByRole('button', { name: 'Accept Ben' })).toBeDisabled();
  await expect(section(ana, /^(Wants|They want) to be your friend$/)).toContainText('Needs a connection');
  await context.setOffline(false);
  await waiting(ana).getByRole('button', { name: 'Accept Ben' }).click();
  await expect(friends(ana)).toHaveCount(2);
  await closeAll([ana, ben, cleo, ida]);
});

test("the link of somebody's code leads a visitor through the sign-in to that person", async ({ browser, server }) => {
  const ben = await join(browser, server, 'Ben');
  const ana = await signUp(browser, server, 'Ana');
  const link = qrUrl(server.url, encodeFriendCode(ben.public_id));
  const visitor = await browser.newContext({ baseURL: server.url });
  const page = await visitor.newPage();
  await page.goto(link);
  await expect(page).toHaveURL(/\/login/);
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await page.getByLabel('E-mail').fill(ana.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const sheet = page.getByRole('dialog', { name: "A friend's code" });
  await expect(sheet).toContainText('Ben');
  await sheet.getByRole('button', { name: 'Add friend' }).click();
  await expect(sheet).toContainText('Requested');
  await expect(waiting(ben)).toContainText('Ana');
  await visitor.close();
  await closeAll([ana, ben]);
});
