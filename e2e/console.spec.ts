import { expect } from '@playwright/test';
import { recordErrors } from './browser/console.ts';
import { test } from './browser/fixtures.ts';
import { signUp } from './people/athlete.ts';
import { chooseLanguage } from './screens/look.ts';

const SCREENS = [
  '/dashboard',
  '/sport-centers',
  '/leaderboards',
  '/activities',
  '/friends',
  '/profile',
  '/qr/generate',
];

test('no screen of an athlete without body data, and no way in of a visitor, writes an error to the console', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Ines');
  const errors = recordErrors(page);
  await chooseLanguage(page, 'en');
  for (const path of SCREENS) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0);
  }
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Open chats' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.goto('/profile');
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login/);
  expect(errors).toEqual([]);
  await context.close();
});
