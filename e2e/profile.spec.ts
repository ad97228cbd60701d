import { expect } from '@playwright/test';
import { postponeWelcome, signInElsewhere, signUp } from './athlete.ts';
import { test } from './fixtures.ts';
import { sheet } from './profile.ts';

/** A browser whose session ended must have noticed by then. */
const NOTICE_MS = 5_000;

test('a session is ended from another device, and that browser is signed out within 5 s', async ({
  browser,
  server,
}) => {
  const adam = await signUp(browser, server, 'Adam');
  const phone = await signInElsewhere(browser, server, adam, {
    userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
  });
  await postponeWelcome(phone.page);
  await adam.page.goto('/profile/devices');
  const rows = adam.page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('This device');
  await rows.filter({ hasText: 'Android' }).getByRole('button').click();
  await expect(adam.page.getByText('Signed out there')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(phone.page).toHaveURL(/\/login/, { timeout: NOTICE_MS });
  await phone.page.goto('/profile');
  await expect(phone.page).toHaveURL(/\/login/);

  await adam.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await sheet(adam.page).getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(adam.page).toHaveURL(/\/login/);
  for (const { context } of [adam, phone]) await context.close();
});
