import { expect, type Locator } from '@playwright/test';
import { signUp } from './athlete.ts';
import { test } from './fixtures.ts';
import { befriend } from './friends.ts';
import { asked, closeAll, found, friends, join, search, waiting } from './friends-page.ts';

/** As wide as a name can be: one word of 40 letters. */
const LONG_NAME = 'Maximilianswolkensteinhausenburgenthaler';

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

test('on the smallest phone everything fits, with twice the size of letters too', async ({ browser, server }) => {
  const [ana, ben, cleo] = [
    await join(browser, server, LONG_NAME),
    await join(browser, server, 'Ben'),
    await join(browser, server, 'Cleo'),
  ];
  const ida = await signUp(browser, server, 'Ida');
  await befriend(server, ben, ida);
  for (const [one, other] of [
    [ana, ben],
    [ben, cleo],
  ] as const) {
    await search(one, other.public_id);
    await found(one).getByRole('button', { name: 'Add friend' }).click();
    await expect(asked(one)).toHaveCount(1);
  }
  const { page, main } = ben;
  await page.setViewportSize({ width: 320, height: 640 });
  await page.evaluate(() => localStorage.setItem('preferred-language', 'es'));
  await page.goto('/friends');
  await main.getByRole('textbox', { name: /^ID público de/ }).fill(cleo.public_id);
  await page.keyboard.press('Enter');
  await expect(main.getByRole('status').getByText('Cleo')).toBeVisible();
  await expect(main.getByRole('button', { name: /^Ida/ }).last()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: LONG_NAME });
  await expect(row).toBeVisible();
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  for (const button of await row.getByRole('button').all()) expect(await endOf(button)).toBeLessThanOrEqual(320);
  await row.getByRole('button').first().click();
  const badge = page.getByRole('dialog').getByText('Quiere ser tu amigo');
  await expect(badge).toBeVisible();
  expect(await endOf(badge)).toBeLessThanOrEqual(320);
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Denunciar' }).click();
  await expect(sheet).toHaveAccessibleName(`Denunciar a ${LONG_NAME}`);
  expect(await overflowOf(sheet.getByRole('heading'))).toBe(0);
  for (const reason of await sheet.getByRole('group').getByRole('button').all())
    expect(await endOf(reason)).toBeLessThanOrEqual(320);
  await page.goto('/profile');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await page.getByRole('switch', { name: 'Horas de silencio' }).check();
  for (const edge of ['Desde', 'Hasta']) expect(await endOf(page.getByLabel(edge))).toBeLessThanOrEqual(320);
  await closeAll([ana, ben, cleo, ida]);
});

/** How much of its text, in px, stands beyond its own end. */
function overflowOf(part: Locator): Promise<number> {
  return part.evaluate(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth));
}

/** Where something ends on the right, in px. */
async function endOf(part: Locator): Promise<number> {
  const box = await part.boundingBox();
  if (!box) throw new Error('this is not on the screen');
  return Math.round(box.x + box.width);
}
