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

test('the settings say once each that they need a network, and nothing is wider than 320 px at text of 200 %', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Elsa', { viewport: { width: 320, height: 640 } });
  await page.evaluate(() => localStorage.setItem('preferred-language', 'es'));
  await page.goto('/profile');
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
  });
  await page.getByRole('switch', { name: 'Horas de silencio' }).check();
  await expect(page.getByLabel('Hasta')).toHaveValue('07:00');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await context.setOffline(true);
  await expect(page.getByText('Podrás cambiarlo cuando vuelvas a tener conexión.')).toHaveCount(1);
  await expect(page.getByText(/se puede cambiar cuando haya conexión/i)).toHaveCount(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await context.close();
});
