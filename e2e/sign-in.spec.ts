import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { fillSignUpForm } from './people/athlete.ts';
import { createAccount, openForm, openVisitor, submitForm } from './people/visitor.ts';

/** Returns every address in this tab's history. */
async function readHistory(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify(navigation.entries().map((entry) => entry.url)));
}

/** Expects that the picture shows the flag on the summit, the end of the climb, at every width, also of a turned phone. */
async function expectSummit(page: Page): Promise<void> {
  for (const [width, height] of [
    [320, 700],
    [390, 844],
    [844, 390],
    [820, 1180],
    [1280, 800],
  ] as const) {
    await page.setViewportSize({ width, height });
    const flag = page.locator('svg path.fill-accent');
    await expect.poll(async () => ((await flag.boundingBox())?.y ?? -1) >= 0, `${width} × ${height} px`).toBe(true);
  }
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
  await expectSummit(page);
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
  await expect(page.getByRole('button', { name: 'Use e-mail and password' })).toBeVisible();
  expect(await primary.boundingBox()).toEqual(before);
  await openForm(page);
  await expect(primary).toBeInViewport({ ratio: 1 });
  await submitForm(page, account);
  await expect(page).toHaveURL(`${server.url}/profile`);
  await page.context().close();
});
