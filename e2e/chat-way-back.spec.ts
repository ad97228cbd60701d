import { expect } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { writeHistory } from './people/chat-history.ts';
import { chatButton, messageField, openFriends, panelOf, talk } from './screens/chat-page.ts';

test('the phone’s Back leaves the panel, view by view, and the screen below only after that', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server, { viewport: { width: 390, height: 800 } });
  await writeHistory(server, ana, bea, talk(ana, bea));
  await page.goto('/leaderboards');
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveURL(/\/profile$/);

  await chatButton(page).click();
  await panelOf(page).getByRole('button', { name: 'Start New Chat' }).click();
  await expect(panelOf(page)).toHaveAccessibleName('Select Friend');
  await page.goBack();
  await expect(panelOf(page)).toHaveAccessibleName('Chats');
  await panelOf(page).getByRole('button', { name: /Bea/ }).click();
  await expect(messageField(page)).toBeVisible();
  await page.goBack();
  await expect(panelOf(page)).toHaveCount(0);
  await page.getByRole('button', { name: /^Bea/ }).click();
  await panelOf(page).getByRole('button', { name: 'Close chats' }).click();
  await expect(panelOf(page)).toHaveCount(0);
  await expect.poll(() => page.evaluate(() => history.state)).toBeNull();
  await expect(page).toHaveURL(/\/profile$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/leaderboards/);
  for (const { context } of [ana, bea]) await context.close();
});
