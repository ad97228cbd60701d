import { expect } from '@playwright/test';
import { recordErrors } from './browser/console.ts';
import { test } from './browser/fixtures.ts';
import { signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';

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
  await expect(page.getByText("We can't reach the server. You see the data saved on this device.")).toBeVisible();
  await server.start();
  const manifest = await (await fetch(`${server.url}/manifest.webmanifest`)).json();
  expect(manifest).toMatchObject({ name: 'Sendlap', display: 'standalone' });
  for (const icon of manifest.icons) expect((await fetch(new URL(icon.src, server.url))).status).toBe(200);
  // The page of the API is the server's, not the worker's; its policy blocks no part of Swagger UI.
  const errors = recordErrors(page);
  await page.goto('/docs');
  await page.locator('#operations-tag-auth').click();
  await page.getByRole('button', { name: /GET.*\/v1\/auth\/me/ }).click();
  await expect(page.getByText('"ada@example.org"')).toBeVisible();
  expect(errors).toEqual([]);
  await context.close();
});
