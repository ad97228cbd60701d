import { type Browser, expect, type Page } from '@playwright/test';
import { type PushEndpoint, startPushEndpoint } from '../apps/api/test/push-endpoint.ts';
import { test } from './browser/fixtures.ts';
import {
  closeNotifications,
  type LocalSubscription,
  openPushDriver,
  readNotifications,
  subscribeLocally,
  tapNotification,
  waitForAnswer,
} from './browser/push-browser.ts';
import { signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { befriend } from './people/friends.ts';
import { countSubscriptions, findChatId } from './people/push-rows.ts';
import { log, openChat, startChat, write } from './screens/chat-page.ts';
import type { Server } from './server/server.ts';

let server: Server;
let endpoint: PushEndpoint;
test.beforeAll(async () => {
  endpoint = await startPushEndpoint();
});
test.afterAll(() => endpoint.close());
test.use({ server_settings: { PUSH_ALLOW_LOCAL: '1' } });
test.beforeEach(({ server: opened }) => {
  server = opened;
});

const card = (page: Page) =>
  page.locator('section', { has: page.getByRole('heading', { level: 2, name: /^(Notifications|Notificaciones)$/ }) });
const deviceSwitch = (page: Page) => card(page).getByRole('switch', { name: 'On this device' });

/** Opens Ben, whose browser has permission to notify and the worker, and his friend Ada. */
async function openFriends(browser: Browser) {
  const bens = endpoint.openBrowser();
  const options = { ...WITH_WORKER, permissions: ['notifications'] };
  let subscription: LocalSubscription | undefined;
  const ben = await signUp(browser, server, 'Ben', options, async (page) => {
    subscription = await subscribeLocally(page, bens);
  });
  const ada = await signUp(browser, server, 'Ada');
  await befriend(server, ada, ben);
  await waitForWorker(ben.page);
  return { ada, ben, bens, isSubscribed: () => subscription?.isThere() };
}

test('a user switches notifications on, reads who wrote, opens the chat by a tap, and leaves nothing behind', async ({
  browser,
}) => {
  const { ada, ben, bens } = await openFriends(browser);
  const { page, context } = ben;
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(deviceSwitch(page)).not.toBeChecked();
  expect(await countSubscriptions(server, ben)).toBe(0);
  await deviceSwitch(page).check();
  await expect.poll(() => countSubscriptions(server, ben)).toBe(1);
  await expect(deviceSwitch(page)).toBeChecked();

  await startChat(ada.page, 'Ben');
  await write(ada.page, 'Friday at seven?');
  // Ben's open app shows the message itself, but only for some seconds, so the test checks this first.
  await expect(page.getByRole('dialog', { name: 'Ada' })).toContainText('Friday at seven?');
  await expect.poll(() => endpoint.readAll(bens)).toMatchObject([{ kind: 'message', name: 'Ada', text: null }]);
  const [pushed] = endpoint.readAll(bens);
  const driver = await openPushDriver(context, server.url);
  await driver.deliver(pushed ?? {});
  // No page shows a push of this kind: once its notification appears, the previous push would have appeared, too.
  await driver.deliver({ kind: 'duel', language: 'en' });
  await expect.poll(driver.countShown).toBe(1);
  expect(await readNotifications(context)).toEqual([{ title: 'Sendlap', body: 'There is something new' }]);
  await closeNotifications(context);

  await page.goto('about:blank');
  await driver.deliver(pushed ?? {});
  await expect.poll(driver.countShown).toBe(2);
  await page.goto(`${server.url}/dashboard`);
  expect(await readNotifications(context)).toEqual([{ title: 'Ada', body: 'New message' }]);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Open chats/ })).toBeVisible();
  await waitForAnswer(context);
  await tapNotification(context);
  await expect(log(page)).toContainText('Friday at seven?');
  expect(await readNotifications(context)).toEqual([]);
  for (const { context: one } of [ada, ben]) await one.close();
});

test('a notification disappears once its message was seen in the app; a push is shown by the browser where the page has no room for it, and by the page elsewhere; after signing out nothing of the notifications is left, on the device and at the server', async ({
  browser,
}) => {
  const { ada, ben, bens, isSubscribed } = await openFriends(browser);
  await startChat(ada.page, 'Ben');
  await write(ada.page, 'Friday at seven?');
  // Otherwise the page would show it, over the chat button; and Chromium closes notifications after 25 s.
  await expect(log(ada.page)).toContainText('Sent');
  const { page, context } = ben;
  const driver = await openPushDriver(context, server.url);
  const chat_id = await findChatId(server, ben);
  await page.goto('about:blank');
  await driver.deliver({ kind: 'message', chat_id, name: 'Ada', text: null, at: Date.now(), language: 'en' });
  await driver.deliver({ kind: 'friend_request', name: 'Zoe', at: Date.now(), language: 'en' });
  // The app opens only once the notifications are shown: an open app would show the news itself.
  const titles = async () => (await readNotifications(context)).map(({ title }) => title).sort();
  await expect.poll(driver.countShown).toBe(2);
  expect(await titles()).toEqual(['Ada', 'Zoe']);
  await page.goto(`${server.url}/dashboard`);
  await openChat(page, 'Ada');
  await expect(log(page)).toContainText('Friday at seven?');
  await expect.poll(titles).toEqual(['Zoe']);
  await page.goto('/friends');
  await expect.poll(titles).toEqual([]);

  const request = { kind: 'friend_request', name: 'Zoe', at: Date.now(), language: 'en' };
  await page.goto(`${server.url}/qr/scan`);
  await page.bringToFront();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await driver.deliver(request);
  await expect.poll(driver.countShown).toBe(3);
  expect(await readNotifications(context)).toMatchObject([{ title: 'Zoe' }]);
  await page.goto(`${server.url}/dashboard`);
  await waitForAnswer(context);
  await driver.deliver({ ...request, name: 'Yan', at: request.at + 1 });
  await expect(page.getByText('Yan wants to be your friend')).toBeVisible();
  // The browser may have closed Zoe's notification by itself.
  expect((await readNotifications(context)).map(({ title }) => title)).not.toContain('Yan');

  await page.goto('about:blank');
  await driver.deliver({ kind: 'friend_request', name: 'Xan', at: Date.now() + 2, language: 'en' });
  await expect.poll(driver.countShown).toBe(4);
  expect(await readNotifications(context)).toContainEqual(expect.objectContaining({ title: 'Xan' }));
  await page.goto(`${server.url}/profile`);
  await deviceSwitch(page).check();
  await expect.poll(() => countSubscriptions(server, ben)).toBe(1);
  expect(isSubscribed()).toBe(true);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(() => countSubscriptions(server, ben)).toBe(0);
  await expect.poll(isSubscribed).toBe(false);
  await expect.poll(() => readNotifications(context)).toEqual([]);
  await write(ada.page, 'Are you there?');
  await expect(log(ada.page)).toContainText('Are you there?');
  expect(endpoint.readAll(bens)).toEqual([]);
  for (const one of [ada.context, context]) await one.close();
});
