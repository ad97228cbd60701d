import { expect, type Page } from '@playwright/test';
import { writeHistory } from './chat-history.ts';
import { log, messageField, openChat, openFriends, panelOf, talk, waitForStepBack } from './chat-page.ts';
import { test } from './fixtures.ts';
import { untilQuiet } from './quiet-page.ts';

const openButton = (page: Page) => page.getByRole('button', { name: /^Open chats/ });
const isFocusInPanel = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('[role=dialog]') !== null && document.activeElement !== null);

for (const width of [320, 390])
  test(`with text at 200 % the button and the small chat stand above the navigation, ${width} px wide`, async ({
    browser,
    server,
  }) => {
    const { ana, bea, page } = await openFriends(browser, server, { viewport: { width, height: 640 } });
    await writeHistory(server, ana, bea, talk(ana, bea));
    await page.reload();
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    // A click waits until nothing lies over what it is for.
    await openButton(page).click();
    await panelOf(page).getByRole('button', { name: /Bea/ }).click();
    await panelOf(page).getByRole('button', { name: 'Minimize chats' }).click();
    await page.getByRole('button', { name: /^Bea/ }).click();
    await expect(messageField(page)).toBeVisible();
    for (const { context } of [ana, bea]) await context.close();
  });

test('the phone’s Back leaves the panel, view by view, and the screen below only after that', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server, { viewport: { width: 390, height: 800 } });
  await writeHistory(server, ana, bea, talk(ana, bea));
  await page.goto('/leaderboards');
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page).toHaveURL(/\/profile$/);

  await openButton(page).click();
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

for (const width of [390, 1280])
  test(`by keyboard the focus stays in the panel from view to view, ${width} px wide`, async ({ browser, server }) => {
    const { ana, bea, page } = await openFriends(browser, server, { viewport: { width, height: 800 } });
    await writeHistory(server, ana, bea, talk(ana, bea));
    await page.reload();
    await openButton(page).focus();
    await page.keyboard.press('Enter');
    await panelOf(page).getByRole('button', { name: /Bea/ }).focus();
    await page.keyboard.press('Enter');
    await expect(log(page)).toBeVisible();
    expect(await isFocusInPanel(page)).toBe(true);
    await panelOf(page).getByRole('button', { name: 'Back to chats' }).focus();
    await page.keyboard.press('Enter');
    await expect(panelOf(page)).toHaveAccessibleName('Chats');
    expect(await isFocusInPanel(page)).toBe(true);
    await panelOf(page).getByRole('button', { name: 'Start New Chat' }).focus();
    await page.keyboard.press('Enter');
    await expect(panelOf(page)).toHaveAccessibleName('Select Friend');
    expect(await isFocusInPanel(page)).toBe(true);
    await page.keyboard.press('Escape');
    await expect(panelOf(page)).toHaveAccessibleName('Chats');
    for (const { context } of [ana, bea]) await context.close();
  });

test('a chat that is started when the panel was made small does not open it; made large again, it shows that chat', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  const held = Promise.withResolvers<void>();
  let answered = 0;
  await page.route(/\/v1\/chats$/, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await held.promise;
    const response = await route.fetch();
    await route.fulfill({ response });
    answered += 1;
  });
  await page.getByRole('button', { name: /^Open chats/ }).click();
  await panelOf(page).getByRole('button', { name: 'Start New Chat' }).click();
  await panelOf(page).getByRole('button', { name: /Bea/ }).click();
  await panelOf(page).getByRole('button', { name: 'Minimize chats' }).click();
  await expect(panelOf(page)).toHaveCount(0);
  held.resolve();
  const small = page.getByRole('button', { name: 'Chats', exact: true });
  await expect.poll(() => answered).toBe(1);
  await untilQuiet(page);
  await expect(panelOf(page)).toHaveCount(0);
  await small.click();
  await expect(messageField(page)).toBeVisible();
  for (const { context } of [ana, bea]) await context.close();
});

test('a chat that is not in my list has a name and nowhere to write', async ({ browser, server }) => {
  const { ana, bea, page } = await openFriends(browser, server);
  await page.route(/\/chats\/[^/]+\/messages/, (route) => route.abort());
  await page.goto(`/dashboard?chat=${crypto.randomUUID()}`);
  await expect(panelOf(page)).toHaveAccessibleName('Chats');
  await expect(panelOf(page).getByRole('button', { name: 'Retry' })).toBeVisible();
  await expect(panelOf(page).getByRole('textbox')).toHaveCount(0);
  await page.unroute(/\/chats\/[^/]+\/messages/);
  await panelOf(page).getByRole('button', { name: 'Close chats' }).click();
  await writeHistory(server, ana, bea, talk(ana, bea));
  await waitForStepBack(page);
  await page.reload();
  await openChat(page, 'Bea');
  for (const { context } of [ana, bea]) await context.close();
});
