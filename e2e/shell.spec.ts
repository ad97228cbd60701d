import { expect } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { fillSignUpForm, signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';

test('a visitor of a signed-in screen is sent to /login and lands there after signing up [spec 2.access.redirect, 2.access.origin, 2.route.login, 2.route.register]', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/leaderboards?sport=swimming');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.getByRole('link', { name: 'Create account' }).click();
  await expect(page).toHaveURL(/\/register$/);
  await page.getByRole('button', { name: 'Create account' }).click();
  await fillSignUpForm(page, 'Origin');
  await expect(page).toHaveURL(/\/leaderboards\?sport=swimming$/);
  await context.close();
});

test('the app opens without a network once its worker is installed, and says that it is offline [spec 1.offline.works, 2.banner.offline, 7.worker.registered, 1.install.installable]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Cave', WITH_WORKER);
  await waitForWorker(page);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.scriptURL)).toBe(
    `${server.url}/sw.js`,
  );
  await context.setOffline(true);
  await page.reload();
  await expect(page.getByText("You're offline - Changes will sync when you're back online")).toBeVisible();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Home' })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("You're offline - Changes will sync when you're back online")).toBeHidden();
  // The device is online, but the server is down.
  await server.stop();
  await page.reload();
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Home' })).toBeVisible();
  await expect(page.getByText("We can't reach the server. You see what is saved on this device.")).toBeVisible();
  await server.start();
  const manifest = await (await fetch(`${server.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ name: 'Sendlap', display: 'standalone' });
  for (const icon of manifest.icons) expect((await fetch(new URL(icon.src, server.url))).status).toBe(200);
  await context.close();
});
