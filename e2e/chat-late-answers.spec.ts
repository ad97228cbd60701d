import { expect } from '@playwright/test';
import { writeHistory } from './chat-history.ts';
import { log, messageField, openChat, openFriends, panelOf } from './chat-page.ts';
import { openChatWith, startChatWith, write } from './chat-screens.ts';
import { test } from './fixtures.ts';
import { retryAround } from './retry.ts';

test('a chat whose list cannot be read says why where one would write, and whoever reads a copy keeps their place when the answer comes', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  const lines = Array.from({ length: 60 }, (_, index) => {
    return { by: index === 59 ? ana : bea, text: `message ${index + 1}`, minutes_ago: 60 - index, is_read: index < 59 };
  });
  const chat_id = await writeHistory(server, ana, bea, lines);
  let is_broken = true;
  await page.route(/\/v1\/chats$/, (route) => (is_broken ? route.fulfill({ status: 500 }) : route.fallback()));
  await page.goto(`/dashboard?chat=${chat_id}`);
  await expect(log(page).getByText('message 60', { exact: true })).toBeVisible();
  const alert = panelOf(page).getByRole('alert');
  await expect(alert).toContainText('Failed to load chats');
  await expect(messageField(page)).toHaveCount(0);
  await retryAround(alert, /\/v1\/chats$/, () => {
    is_broken = false;
  });
  await expect(messageField(page)).toBeVisible();
  await expect(alert).toHaveCount(0);

  await page.goto('about:blank');
  await bea.page.reload();
  const read = bea.page.waitForResponse(/\/mark-read$|\/read$/);
  await openChatWith(bea.page, 'Ana');
  await read;
  await bea.page.close();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/messages\?/, (route) => held.then(() => route.fallback()));
  await page.goto(`/dashboard?chat=${chat_id}`);
  const newest = log(page).getByRole('article').last();
  await expect(newest).toContainText('Sent');
  await log(page).focus();
  await log(page).evaluate((element) => element.scrollBy(0, -400));
  const distance = () => log(page).evaluate((it) => it.scrollHeight - it.scrollTop - it.clientHeight);
  await expect.poll(distance).toBeGreaterThan(300);
  answer();
  await expect(newest).toContainText('Read');
  expect(await distance()).toBeGreaterThan(300);
  await expect(log(page)).toBeFocused();
  for (const { context } of [ana, bea]) await context.close();
});

test('messages that came before my waiting one was answered are counted, though the stream tells them later', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  await startChatWith(bea.page, 'Ana');
  await write(bea.page, 'Hi');
  await openChat(page, 'Bea');
  await expect(log(bea.page).getByRole('article').last()).toContainText('Read');
  await page.route(/\/v1\/events/, (route) => route.abort());
  // A network that comes makes the stream begin anew, which fails: only the answer of the message will be heard.
  const cut = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/v1/events'));
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await cut;
  await ana.context.setOffline(true);
  await write(page, 'waiting');
  await panelOf(page).getByRole('button', { name: 'Close chats' }).click();
  for (const text of ['one', 'two', 'three']) await write(bea.page, text);
  await expect(log(bea.page).getByRole('article').last()).toContainText(/three[\s\S]*Sent/);
  await ana.context.setOffline(false);
  await expect(log(bea.page).getByText('waiting', { exact: true })).toBeVisible();
  await page.unroute(/\/v1\/events/);
  await expect(page.getByRole('button', { name: /^Open chats, 3 unread/ })).toBeVisible();
  for (const { context } of [ana, bea]) await context.close();
});
