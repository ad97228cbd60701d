import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { signInElsewhere, signUp } from './people/athlete.ts';
import { sheet } from './people/profile.ts';

async function download(page: Page, name: string): Promise<{ name: string; text: string }> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

test('an athlete saves all data as files, and signs out another browser, which notices it without a reload', async ({
  browser,
  server,
}) => {
  const adam = await signUp(browser, server, 'Adam');
  const phone = await signInElsewhere(browser, server, adam, {
    userAgent: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36',
  });
  await adam.page.goto('/profile/account');
  const archive = await download(adam.page, 'Download everything');
  expect(archive.name).toMatch(/\.json$/);
  expect(JSON.stringify(JSON.parse(archive.text))).toContain(adam.email);
  const table = await download(adam.page, 'Download activities');
  expect(table.name).toMatch(/\.csv$/);
  expect(table.text.split('\n')[0]).toContain('started_at');

  await adam.page.goto('/profile/devices');
  const rows = adam.page.getByRole('main').getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('This device');
  await rows.filter({ hasText: 'Android' }).getByRole('button').click();
  await expect(adam.page.getByText('Signed out there')).toBeVisible();
  await expect(rows).toHaveCount(1);
  await expect(phone.page).toHaveURL(/\/login/);
  await phone.page.goto('/profile');
  await expect(phone.page).toHaveURL(/\/login/);

  await adam.page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await sheet(adam.page).getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(adam.page).toHaveURL(/\/login/);
  for (const { context } of [adam, phone]) await context.close();
});
