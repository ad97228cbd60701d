import { expect } from '@playwright/test';
import { postponeWelcome, signInElsewhere, WITH_WORKER, waitForWorker } from './athlete.ts';
import { writeHistory } from './chat-history.ts';
import { log, messageField, openChat, openFriends, panelOf } from './chat-page.ts';
import { test } from './fixtures.ts';
import { startForwardProxy } from './forward-proxy.ts';
import { serveUpdatingWorker } from './updating-worker.ts';

test('a page that was still on its way when the worker took over comes under it too', async ({ browser, server }) => {
  const proxy = await startForwardProxy();
  const context = await browser.newContext({ baseURL: server.url, proxy: { server: proxy.address }, ...WITH_WORKER });
  const late = Promise.withResolvers<'pass'>();
  const asked = Promise.withResolvers<void>();
  proxy.follow(({ path }) => {
    if (path !== '/login?late') return 'pass';
    asked.resolve();
    return late.promise;
  });
  const page = await context.newPage();
  const arriving = page.goto('/login?late');
  await asked.promise;
  const first = await context.newPage();
  await first.goto('/login');
  await waitForWorker(first);
  late.resolve('pass');
  await arriving;
  await waitForWorker(page);
  await context.close();
  await proxy.close();
});

for (const path of ['/sw.js', '/kiosk.webmanifest']) {
  test(`a first installation that failed for ${path} is made again, without a new visit`, async ({
    browser,
    server,
  }) => {
    const proxy = await startForwardProxy();
    let asked = 0;
    proxy.follow((request) => {
      if (request.path !== path) return 'pass';
      asked += 1;
      return asked === 1 ? { status: 503, body: {} } : 'pass';
    });
    const context = await browser.newContext({ baseURL: server.url, proxy: { server: proxy.address }, ...WITH_WORKER });
    const page = await context.newPage();
    await page.goto('/login');
    await waitForWorker(page);
    expect(asked).toBeGreaterThan(1);
    await context.close();
    await proxy.close();
  });
}

test('a new version does not ask while a chat is open, a text is unsent or a message waits, and asks again after that', async ({
  browser,
  server,
}) => {
  const { ana, bea } = await openFriends(browser, server);
  await writeHistory(server, ana, bea, [{ by: bea, text: 'Hi', minutes_ago: 9, is_read: true }]);
  const proxy = await startForwardProxy();
  const options = { proxy: { server: proxy.address }, ...WITH_WORKER };
  const { page, context } = await signInElsewhere(browser, server, ana, options);
  await postponeWelcome(page);
  await waitForWorker(page);
  const card = page.getByRole('region', { name: 'A new version is ready' });
  const door = page.getByRole('button', { name: /^Open chats/ });
  const close = async () => {
    await panelOf(page).getByRole('button', { name: 'Close chats' }).click();
    await expect(door).toBeVisible();
  };
  await openChat(page, 'Bea');
  await messageField(page).fill('See you at');
  proxy.follow(({ path }) => (path === '/sw.js' ? { append: '\n// another version\n' } : 'pass'));
  await page.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
  await expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state))
    .toBe('installed');
  await close();
  await expect(card).toHaveCount(0);

  await openChat(page, 'Bea');
  await expect(messageField(page)).toHaveValue('See you at');
  await messageField(page).fill('');
  await expect(card).toHaveCount(0);
  await close();
  await expect(card).toBeVisible();

  // On a phone the card lies over the button.
  await door.press('Enter');
  await expect(card).toHaveCount(0);
  await panelOf(page).getByRole('button', { name: /Bea/ }).click();
  await context.setOffline(true);
  await messageField(page).fill('Seven?');
  await messageField(page).press('Enter');
  await expect(log(page).getByText('Seven?')).toBeVisible();
  await expect(messageField(page)).toHaveValue('');
  await close();
  await expect(card).toHaveCount(0);
  await context.setOffline(false);
  await expect(card).toBeVisible();
  for (const each of [context, ana.context, bea.context]) await each.close();
  await proxy.close();
});

test('Update Now in one tab leaves the other as it is; pressed there it loads the new version too', async ({
  browser,
  server,
}) => {
  const app = await serveUpdatingWorker(server);
  const context = await browser.newContext({ baseURL: app.url, ...WITH_WORKER });
  const pages = [await context.newPage(), await context.newPage()];
  for (const page of pages) {
    await page.goto('/login');
    await waitForWorker(page);
  }
  app.publish();
  await pages[0]?.evaluate(async () => void (await (await navigator.serviceWorker.getRegistration())?.update()));
  for (const page of pages) await expect(page.getByRole('button', { name: 'Update Now' })).toBeVisible();
  for (const page of pages) {
    const update = page.getByRole('button', { name: 'Update Now' });
    await expect(update).toBeVisible();
    const loaded = page.waitForEvent('load');
    await update.click();
    await loaded;
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(update).toHaveCount(0);
  }
  await context.close();
  await app.close();
});
