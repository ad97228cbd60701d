import { expect } from '@playwright/test';
import { signUp } from './athlete.ts';
import { writeHistory } from './chat-history.ts';
import { log, messageField, openChat, openFriends, panelOf } from './chat-page.ts';
import { openChatWith, readTexts, startChatWith, write } from './chat-screens.ts';
import { test } from './fixtures.ts';

test('what is new is said where the device remembers what came before', async ({ browser, server }) => {
  const { ana, bea, page } = await openFriends(browser, server);
  // Open before it comes: otherwise a note of it may lie over the button.
  await startChatWith(page, 'Bea');
  await startChatWith(bea.page, 'Ana');
  await write(bea.page, 'first');
  await expect(log(bea.page).getByRole('article').last()).toContainText('Read');
  await page.goto('about:blank');
  for (let index = 1; index <= 20; index += 1) await write(bea.page, `unread ${index}`);
  await expect(log(bea.page).getByRole('article').last()).toContainText(/unread 20[\s\S]*Sent/);
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: /^Open chats, 20 unread/ })).toBeVisible();
  await openChatWith(page, 'Bea');
  await expect(log(page).getByText('20 new messages')).toBeInViewport();
  await expect(log(page).getByText('unread 1', { exact: true })).toBeInViewport();
  for (const { context } of [ana, bea]) await context.close();
});

test('a panel whose code does not come says so, takes no screen with it, and opens when it comes', async ({
  browser,
  server,
}) => {
  const { context, page } = await signUp(browser, server, 'Ana');
  const code = /\/assets\/ChatPanel-[^/]*\.js$/;
  await context.route(code, (route) => route.abort());
  await page.goto('/dashboard');
  const button = page.getByRole('button', { name: /^Open chats/ });
  await button.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Failed to load chats');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Ana/);
  await context.unroute(code);
  await button.press('Enter');
  await expect(panelOf(page)).toHaveAccessibleName('Chats');
  await context.close();
});

test('late pieces whose code does not come take no screen with them, and come with the network', async ({
  browser,
  server,
}) => {
  const { context, page } = await signUp(browser, server, 'Ana');
  const late = [
    'BadgeNews',
    'ChatDoor',
    'Companions',
    'FriendNews',
    'InAppNews',
    'ScanNews',
    'SheetSurface',
    'Welcome',
  ];
  const code = new RegExp(`/assets/(${late.join('|')})-[^/]*\\.js$`);
  const missed = new Set<string | undefined>();
  await context.route(code, (route) => {
    missed.add(code.exec(route.request().url())?.[1]);
    return route.abort();
  });
  await page.goto('/dashboard');
  // The sheet's code is asked for by what asks the questions of the first run.
  const asked = late.filter((name) => name !== 'SheetSurface');
  await expect.poll(() => [...missed].sort()).toEqual(expect.arrayContaining(asked));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Ana/);
  await expect(page.getByRole('button', { name: /^Open chats/ })).toHaveCount(0);
  await context.unroute(code);
  await context.setOffline(true);
  await context.setOffline(false);
  await page.getByRole('button', { name: /^Open chats/ }).click();
  await expect(panelOf(page)).toHaveAccessibleName('Chats');
  await context.close();
});

test('a sheet whose code does not come takes no screen with it, and opens when it comes', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  await page.goto('about:blank');
  const code = /\/assets\/SheetSurface-[^/]*\.js$/;
  let missed = 0;
  await page.route(code, (route) => {
    missed += 1;
    return route.abort();
  });
  await page.goto('/friends');
  await page.getByRole('button', { name: /^Bea/ }).click();
  await expect.poll(() => missed).toBeGreaterThan(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Friends');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.unroute(code);
  await ana.context.setOffline(true);
  await ana.context.setOffline(false);
  await expect(page.getByRole('dialog', { name: 'Profile' })).toBeVisible();
  for (const { context } of [ana, bea]) await context.close();
});

test('a page of older messages that does not come says so, and Retry brings it', async ({ browser, server }) => {
  const { ana, bea, page } = await openFriends(browser, server);
  const many = Array.from({ length: 60 }, (_, index) => {
    return { by: bea, text: `message ${index + 1}`, minutes_ago: 60 - index, is_read: true };
  });
  await writeHistory(server, ana, bea, many);
  let is_broken = true;
  await page.route(/messages\?.*before=/, (route) => (is_broken ? route.abort() : route.fallback()));
  await page.reload();
  await openChat(page, 'Bea');
  await expect(log(page).getByText('message 60', { exact: true })).toBeVisible();
  await log(page).evaluate((element) => element.scrollTo(0, 0));
  const alert = panelOf(page).getByRole('alert');
  await expect(alert).toContainText('Failed to load older messages');
  is_broken = false;
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(alert).toHaveCount(0);
  await expect
    .poll(async () => {
      await log(page).evaluate((element) => element.scrollTo(0, 0));
      return (await readTexts(page))[0];
    })
    .toBe('message 1');
  for (const { context } of [ana, bea]) await context.close();
});

test('a refused message stays where it was written and can be written anew; what no server would read is not even kept', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  const long = 'y'.repeat(5_001);
  await startChatWith(page, 'Bea');
  // The chat's first message is still on its way when the next one is written: that one goes after it nevertheless.
  const written = Promise.withResolvers<void>();
  await page.route(/\/messages$/, (route) => written.promise.then(() => route.fallback()));
  await write(page, 'before');
  await write(page, long);
  written.resolve();
  await expect(log(page)).toContainText('Not sent');
  await write(page, 'after');
  // It stands before the answer only where the server had it before that.
  await expect(log(page).getByRole('article').last()).toContainText(/after[\s\S]*Sent/);
  await openChatWith(bea.page, 'Ana');
  await write(bea.page, 'answer');
  await expect(log(page).getByText('answer', { exact: true })).toBeInViewport();
  expect((await readTexts(page)).map((text) => text.slice(0, 6))).toEqual(['before', 'yyyyyy', 'after', 'answer']);

  await messageField(page).fill('draft');
  await log(page).getByRole('button', { name: 'Edit' }).click();
  await expect(messageField(page)).toHaveValue(`${long}\ndraft`);
  await expect(messageField(page)).toBeFocused();
  await expect(log(page).getByText('Not sent')).toHaveCount(0);

  const huge = 'see http://a.example/x '.repeat(3_000);
  await messageField(page).fill(huge);
  await messageField(page).press('Enter');
  await expect(panelOf(page).getByRole('alert')).toContainText('A message can have 5,000 characters');
  await expect(messageField(page)).toHaveValue(huge);
  await expect(panelOf(page).getByText(/69000\/5000/)).toBeVisible();
  expect(await readTexts(page)).toEqual(['before', 'after', 'answer']);
  for (const { context } of [ana, bea]) await context.close();
});
