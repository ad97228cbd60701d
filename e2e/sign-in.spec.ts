import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { fillSignUpForm } from './people/athlete.ts';
import { createAccount, openForm, openVisitor, submitForm } from './people/visitor.ts';

/** Returns every address in this tab's history. */
async function readHistory(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify(navigation.entries().map((entry) => entry.url)));
}

test('a visitor of a signed-in screen is sent to /login, signs up and is on that screen, with the code in no entry of the history [spec 2.access.redirect, 2.access.origin, 2.route.login, 2.callback.success, 4.provider.register, 4.provider.callback, 1.sign-in.provider]', async ({
  browser,
  server,
}) => {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/leaderboards?sport=swimming');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.getByRole('button', { name: 'Create account' }).click();
  await fillSignUpForm(page, 'Origin');
  await expect(page).toHaveURL(/\/leaderboards\?sport=swimming$/);
  expect(await readHistory(page)).not.toMatch(/[?&](code|state)=/);
  await context.close();
});

test('a visitor of /profile signs in with e-mail and password in place and is on /profile; the form is in full view [spec 1.sign-in.direct, 2.access.origin]', async ({
  browser,
  server,
}) => {
  const account = await createAccount(server, 'Paula');
  const page = await openVisitor(browser, server);
  // The second button appears with the answer, which is held until the first button was measured.
  const measured = Promise.withResolvers<void>();
  await page.route('**/v1/auth/config', async (route) => {
    await measured.promise;
    await route.continue();
  });
  await page.goto('/profile');
  await expect(page).toHaveURL(/\/login$/);
  const primary = page.getByRole('button', { name: 'Sign in', exact: true });
  await expect(primary).toBeVisible();
  const before = await primary.boundingBox();
  measured.resolve();
  await expect(page.getByRole('button', { name: 'Use e-mail and password here' })).toBeVisible();
  expect(await primary.boundingBox()).toEqual(before);
  await openForm(page);
  await expect(primary).toBeInViewport({ ratio: 1 });
  await submitForm(page, account);
  await expect(page).toHaveURL(`${server.url}/profile`);
  await page.context().close();
});
