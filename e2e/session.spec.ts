import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { waitUntilQuiet, watchTab } from './browser/tab.ts';
import { type Athlete, addPerson, passTime, signIn, signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { declineWheneverAsked } from './people/welcome.ts';
import { startForwardProxy } from './server/forward-proxy.ts';

const REFRESH_PATH = '/v1/auth/refresh';
const TOKEN_LIFE_MIN = 10;
const NEEDS_NETWORK = "You're offline. Signing in needs a connection.";

async function signOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
}

/**
 * Counts new tokens. While the journey passes time, the server's clock is ahead of the page's, which no phone meets: a
 * refresh in between is refused as too early, and made again.
 */
function countRefreshes({ context }: Athlete): () => number {
  let count = 0;
  context.on('response', (response) => {
    if (new URL(response.url()).pathname === REFRESH_PATH && response.ok()) count += 1;
  });
  return () => count;
}

test('two tabs share one refresh, and a sign-out in one signs out both', async ({ browser, server }) => {
  const athlete = await signUp(browser, server, 'Tabs');
  const { page: first, context } = athlete;
  const second = await context.newPage();
  const started = watchTab(second);
  const tabs = [watchTab(first), started];
  await second.goto('/profile');
  await expect(second.getByText(athlete.email)).toBeVisible();
  // The phone knows the email; the tab's own refresh comes after it.
  await expect.poll(() => started.wasServed()).toBe(true);
  await waitUntilQuiet(tabs);
  const refreshes = countRefreshes(athlete);
  await passTime(server, [athlete], TOKEN_LIFE_MIN);
  for (const tab of tabs) tab.startRound();
  await Promise.all([
    first.getByRole('link', { name: 'Ranks' }).click(),
    second.getByRole('link', { name: 'Home' }).click(),
  ]);
  await expect.poll(() => tabs.every((tab) => tab.wasServed())).toBe(true);
  await waitUntilQuiet(tabs);
  expect(refreshes()).toBe(1);
  await signOut(first);
  await expect(first).toHaveURL(/\/login$/);
  await expect(second).toHaveURL(/\/login$/);
  await context.close();
});

test('sign-in works from the offline start, under an installed worker, and after an update of it', async ({
  browser,
  server,
}) => {
  const { email } = await addPerson(server, 'Worker');
  const proxy = await startForwardProxy();
  const context = await browser.newContext({ baseURL: server.url, proxy: { server: proxy.address }, ...WITH_WORKER });
  const page = await context.newPage();
  await declineWheneverAsked(page);
  await page.goto('/login');
  await waitForWorker(page);
  await context.setOffline(true);
  await page.goto('/');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText(NEEDS_NETWORK)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeDisabled();
  await context.setOffline(false);
  await expect(page.getByText(NEEDS_NETWORK)).toHaveCount(0);
  await signIn(page, email);

  await signOut(page);
  await expect(page).toHaveURL(/\/login$/);
  proxy.follow(({ path }) => (path === '/sw.js' ? { append: '\n// another version\n' } : 'pass'));
  await page.reload();
  const old = await page.evaluate(() => performance.timeOrigin);
  await page.getByRole('button', { name: 'Update Now' }).click();
  await page.waitForFunction((origin) => performance.timeOrigin !== origin, old);
  await waitForWorker(page);
  await signIn(page, email);
  await expect(page.getByRole('navigation')).toBeVisible();
  await context.close();
  await proxy.close();
});
