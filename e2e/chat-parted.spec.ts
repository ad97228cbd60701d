import { expect } from '@playwright/test';
import { type Athlete, readPublicId, WITH_WORKER, waitForWorker } from './athlete.ts';
import { findTraces, readBrowserStores } from './browser-stores.ts';
import { writeHistory } from './chat-history.ts';
import { log, messageField, openChat, openFriends, panelOf, talk } from './chat-page.ts';
import { startChatWith, write } from './chat-screens.ts';
import { test } from './fixtures.ts';

/** Ends the friendship, on the screen of friends. */
async function removeFriend({ page }: Athlete, name: string): Promise<void> {
  await page.goto('/friends');
  await page
    .getByRole('region', { name: 'Your friends' })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Remove friend' }).click();
  await sheet.getByRole('button', { name: 'Remove friend' }).click();
  await expect(sheet.getByRole('button', { name: 'Remove friend' })).toHaveCount(0);
}

test('whoever was removed without a network hears of it with the network: what waited is refused, and what was being written stays to be copied', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server);
  await startChatWith(page, 'Bea');
  await write(page, 'before');
  await expect(log(page).getByRole('article').last()).toContainText('Sent');
  await ana.context.setOffline(true);
  await write(page, 'waits');
  await messageField(page).fill('half a sentence');
  await removeFriend(bea, 'Ana');
  await ana.context.setOffline(false);
  await expect(panelOf(page).getByText(/you are no longer friends/)).toBeVisible({ timeout: 10_000 });
  await expect(messageField(page)).toHaveCount(0);
  await expect(log(page).getByRole('article').last()).toContainText(/waits[\s\S]*Not sent/);
  await expect(panelOf(page).getByRole('textbox', { name: /^What you were writing/ })).toHaveValue('half a sentence');
  for (const { context } of [ana, bea]) await context.close();
});

test('where no news come, the refusal of a message says that the two are no longer friends', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server, {}, async (opened) => {
    await opened.route(/\/v1\/events$/, (route) => route.abort());
  });
  await startChatWith(page, 'Bea');
  await removeFriend(bea, 'Ana');
  await write(page, 'too late');
  await expect(panelOf(page).getByText(/you are no longer friends/)).toBeVisible();
  await expect(messageField(page)).toHaveCount(0);
  await expect(log(page).getByRole('article').last()).toContainText(/too late[\s\S]*Not sent/);
  for (const { context } of [ana, bea]) await context.close();
});

test('a device that was closed when somebody was erased keeps none of their words, and all of mine', async ({
  browser,
  server,
}) => {
  const { ana, bea, page } = await openFriends(browser, server, WITH_WORKER);
  await writeHistory(server, ana, bea, talk(ana, bea));
  const public_id = await readPublicId(bea);
  await waitForWorker(page);
  await page.goto('/friends');
  await openChat(page, 'Bea');
  await expect(log(page).getByText('See you there!')).toBeVisible();
  const traces = async () => findTraces(await readBrowserStores(page), { words: 'See you there!' });
  await expect.poll(traces).toContain('words in database sendlap-cache, store messages');
  await page.goto('about:blank');
  await server.sendlap('users', 'erase', public_id, '--now');

  await page.goto('/friends');
  await page.getByRole('button', { name: /^Open chats/ }).click();
  const row = panelOf(page).getByRole('button', { name: /^Deleted user/ });
  await expect(row).toContainText('This message was deleted.');
  await expect.poll(traces).toEqual([]);
  // What was not opened since is shown from the copies.
  await ana.context.setOffline(true);
  await page.goto('/friends');
  await page.getByRole('button', { name: /^Open chats/ }).click();
  await row.click();
  await expect(log(page).getByText('Yes! At seven, the new routes')).toBeVisible();
  await expect(log(page).getByText('This message was deleted.').first()).toBeVisible();
  await expect(log(page)).not.toContainText('See you there!');
  for (const { context } of [ana, bea]) await context.close();
});
