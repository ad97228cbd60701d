import { expect, type Page } from '@playwright/test';
import {
  type Athlete,
  fillSignInForm,
  leaveForProvider,
  passTime,
  signIn,
  signUp,
  WITH_WORKER,
  waitForWorker,
} from './athlete.ts';
import { findTraces, readBrowserStores } from './browser-stores.ts';
import { test } from './fixtures.ts';
import { startForwardProxy } from './forward-proxy.ts';
import { waitUntilQuiet, watchTab } from './tab.ts';
import { postponeWheneverAsked } from './welcome.ts';

const REFRESH_PATH = '/v1/auth/refresh';
const TOKEN_LIFE_MIN = 10;
const NEEDS_NETWORK = "You're offline. Signing in needs a connection.";

async function signOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
}

function countRefreshes({ context }: Athlete): () => number {
  let count = 0;
  context.on('request', (request) => {
    if (new URL(request.url()).pathname === REFRESH_PATH) count += 1;
  });
  return () => count;
}

test('two tabs share one refresh, and a sign-out in one is one in both', async ({ browser, server }) => {
  const athlete = await signUp(browser, server, 'Tabs');
  const { page: first, context } = athlete;
  const second = await context.newPage();
  const tabs = [watchTab(first), watchTab(second)];
  await second.goto('/profile');
  await expect(second.getByText(athlete.email)).toBeVisible();
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

test('a session that was ended elsewhere is over within 5 s of the next call, and the athlete is told why', async ({
  browser,
  server,
}) => {
  // Its live stream ends with the session, and would notice before anybody has made that call.
  const { page, context } = await signUp(browser, server, 'Ended', {}, async (tab) => {
    await tab.route('**/v1/events', (route) => route.abort());
  });
  const cookies = await context.cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const ended = await fetch(`${server.url}/v1/auth/logout`, {
    method: 'POST',
    headers: { cookie, origin: server.url },
  });
  expect(ended.status).toBe(200);
  await context.clock.fastForward(6 * 60_000);
  // Old enough to be fetched again. A timer of the app's may do so first: then there is no link left to tap.
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/leaderboards"]')?.click());
  await expect(page).toHaveURL(/\/login$/, { timeout: 5_000 });
  await expect(page.getByRole('alert')).toContainText(/login again|sign in again/i);
  await context.close();
});

test('with the server down the app opens with what it has saved, and says so; nobody is signed out', async ({
  browser,
  server,
}) => {
  const { page, context, email } = await signUp(browser, server, 'Outage', WITH_WORKER);
  await waitForWorker(page);
  await page.getByRole('link', { name: 'Profile' }).click();
  await server.stop();
  await page.reload();
  await expect(page.getByText(email)).toBeVisible();
  await expect(page.getByText("We can't reach the server. You see what is saved on this device.")).toBeVisible();
  await expect(page).toHaveURL(/\/profile$/);
  await server.start();
  await page.reload();
  await page.getByRole('link', { name: 'Ranks' }).click();
  await expect(page).toHaveURL(/\/leaderboards$/);
  await expect(page.getByText("We can't reach the server.")).toHaveCount(0);
  await context.close();
});

test('the verifier lies in session storage under its state from leaving for the provider until coming back [spec 3.verifier.key]', async ({
  browser,
  server,
}) => {
  const { email } = await signUp(browser, server, 'Proof');
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/login');
  expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  const exchanged = page.waitForRequest('**/v1/auth/oauth/callback/**');
  await leaveForProvider(page);
  const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await fillSignInForm(page, email);
  const { state, code_verifier } = (await exchanged).postDataJSON();
  expect(kept).toMatch(new RegExp(`"[^"]*${state}":"[^}]*${code_verifier}`));
  expect(findTraces(await readBrowserStores(page), { state, code_verifier })).toEqual([]);
  await context.close();
});

test('sign-in works from the offline start, under an installed worker, and after an update of it', async ({
  browser,
  server,
}) => {
  const { email } = await signUp(browser, server, 'Worker');
  const proxy = await startForwardProxy();
  const context = await browser.newContext({ baseURL: server.url, proxy: { server: proxy.address }, ...WITH_WORKER });
  const page = await context.newPage();
  await postponeWheneverAsked(page);
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
