import { expect } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { signUp } from './people/athlete.ts';

test('signing out goes to /login, in all tabs; a failing server is reported, and keeps no user signed in [spec 2.logout.to-login, 4.logout.failed, 4.logout.failed-to-login]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Olga');
  const other = await context.newPage();
  await other.goto('/leaderboards');
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  // The page is still loading the user when the tap comes, and is on the sign-in page before the server fails.
  const [refreshed, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route('**/v1/auth/refresh', (route) => refreshed.promise.then(() => route.continue()));
  await context.route('**/v1/auth/logout', (route) =>
    failed.promise.then(() => route.fulfill({ status: 500, body: '' })),
  );
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  refreshed.resolve();
  await expect(page).toHaveURL(/\/login$/);
  failed.resolve();
  await expect(page.getByRole('alert')).toHaveText('Logout failed, but you have been logged out locally');
  await expect(other).toHaveURL(/\/login$/);
  await context.unroute('**/v1/auth/logout');
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login$/);
  await context.close();
});
