import { expect, type Page } from '@playwright/test';
import { log, openFriends, panelOf } from './chat-page.ts';
import { openChatWith, readTexts, startChatWith, write } from './chat-screens.ts';
import { test } from './fixtures.ts';

const door = (page: Page) => page.getByRole('button', { name: /^Open chats/ });
const line = (page: Page, text: string) => log(page).locator('[data-message]').filter({ hasText: text });

/** A screen that needs all its room: there is no chat button on it. */
async function openCode(page: Page): Promise<void> {
  await page.locator('a[href="/qr/generate?show=friend"]').first().click();
  await expect(page.getByRole('img', { name: /QR code of your public id/ })).toBeVisible();
  await expect(door(page)).toHaveCount(0);
}

test('what comes while a screen without a chat button is looked at counts once the button is there again', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  await startChatWith(bea.page, 'Ana');
  await write(bea.page, 'one');
  await page.goto('/friends');
  await expect(door(page)).toHaveAccessibleName(/1 unread/);
  await openCode(page);
  await write(bea.page, 'two');
  await expect(line(bea.page, 'two')).toContainText('Sent');
  await page.goBack();
  await expect(door(page)).toHaveAccessibleName(/2 unread/);
  for (const { context } of [ana, bea]) await context.close();
});

test('what went out while a screen without a chat button was looked at stands in its chat without a network', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  await page.goto('/friends');
  // Its code is there then.
  await openCode(page);
  await page.goBack();
  await startChatWith(page, 'Bea');
  await write(page, 'first');
  await expect(line(page, 'first')).toContainText('Sent');
  await ana.context.setOffline(true);
  await write(page, 'second');
  await expect(line(page, 'second')).toContainText('Waiting for a connection');
  await panelOf(page).getByRole('button', { name: 'Close chats' }).click();
  await openCode(page);
  const sent = page.waitForResponse((reply) => reply.request().method() === 'POST' && /\/messages$/.test(reply.url()));
  await ana.context.setOffline(false);
  await (await sent).finished();
  await ana.context.setOffline(true);
  await page.goBack();
  await openChatWith(page, 'Bea');
  await expect.poll(() => readTexts(page)).toEqual(['first', 'second']);
  await expect(line(page, 'second')).toContainText('Sent');
  for (const { context } of [ana, bea]) await context.close();
});

test('what comes while a second tab still asks who is here is not missing there', async ({ browser, server }) => {
  const { ana, bea, page } = await openFriends(browser, server);
  await startChatWith(bea.page, 'Ana');
  await expect(door(page)).toHaveAccessibleName('Open chats');
  const second = await ana.context.newPage();
  const { promise: is_let, resolve: letGo } = Promise.withResolvers<void>();
  await second.route(/\/v1\/auth\/me$/, async (route) => {
    await is_let;
    await route.fallback();
  });
  const listed = second.waitForResponse(/\/v1\/chats\/?$/);
  await second.goto('/dashboard');
  await (await listed).finished();
  await expect(door(second)).toHaveAccessibleName('Open chats');
  await write(bea.page, 'third');
  await expect(door(page)).toHaveAccessibleName(/1 unread/);
  letGo();
  await expect(door(second)).toHaveAccessibleName(/1 unread/);
  for (const { context } of [ana, bea]) await context.close();
});
