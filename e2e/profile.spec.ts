import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { openOperator } from '../apps/api/test/operator.ts';
import {
  type Athlete,
  postponeWelcome,
  readPublicId,
  signIn,
  signInElsewhere,
  signUp,
  signUpUnasked,
  WITH_WORKER,
  waitForWorker,
  waitUntilPostponed,
} from './athlete.ts';
import { test } from './fixtures.ts';
import { answerWelcome, bodyCard, openProfile, sheet, typeBody } from './profile.ts';
import type { Server } from './server.ts';
import { openPool, startSwimming } from './swimming.ts';

/** A browser whose session ended must have noticed by then. */
const NOTICE_MS = 5_000;

/** Somebody of an identity provider that told no name to show. */
async function forgetDisplayName(server: Server, { email }: Athlete): Promise<void> {
  const operator = await openOperator(server);
  await operator.database.updateTable('users').set({ display_name: null }).where('email', '=', email).execute();
  await operator.close();
}

test('a new athlete is asked once, corrects what can not be, saves, and finds it on the profile [spec 1.audience.account]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUpUnasked(browser, server, 'Uma');
  await expect(sheet(page).getByRole('heading', { name: 'A few numbers about you' })).toBeVisible();
  await typeBody(page, { age: '3', weight: 'much' });
  await page.keyboard.press('Enter');
  await expect(sheet(page).getByText('From 5 to 120 years, please.')).toBeVisible();
  await expect(sheet(page).getByText('Just a number, please.')).toBeVisible();
  await expect(sheet(page).getByText('This is still missing.')).toBeVisible();
  await expect(sheet(page).getByLabel('Age')).toBeFocused();
  await sheet(page).getByText('Female').click();
  await answerWelcome(page);

  await page.reload();
  await page.getByRole('link', { name: 'Profile' }).click();
  const card = bodyCard(page);
  for (const text of ['34 years', '61.5 kg', '170 cm', 'Female']) await expect(card.getByText(text)).toBeVisible();
  await expect(page.getByText(/^sl-[a-z0-9]{10}$/)).toBeVisible();
  await expect(sheet(page)).toHaveCount(0);
  await context.close();
});

test('who has no name for boards is asked for it first', async ({ browser, server }) => {
  const vera = await signUpUnasked(browser, server, 'Vera');
  const { page, context } = vera;
  await expect(sheet(page).getByRole('heading', { name: 'A few numbers about you' })).toBeVisible();
  await forgetDisplayName(server, vera);
  await page.goto('/profile');
  await expect(sheet(page).getByRole('heading', { name: 'What should boards call you?' })).toBeVisible();
  await sheet(page).getByLabel('Display name').fill('   ');
  await sheet(page).getByRole('button', { name: 'Next' }).click();
  await expect(sheet(page).getByRole('alert')).toHaveText('It needs at least one character.');
  await sheet(page).getByLabel('Display name').fill('Vera  the Wall');
  await sheet(page).getByRole('button', { name: 'Next' }).click();
  await expect(sheet(page).getByRole('heading', { name: 'A few numbers about you' })).toBeVisible();
  await answerWelcome(page);
  await expect(page.getByRole('heading', { name: 'Vera the Wall' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Vera the Wall' })).toBeVisible();
  await context.close();
});

test('"Later" holds over a restart, until the next sign-in', async ({ browser, server }) => {
  const { page, context, email } = await signUpUnasked(browser, server, 'Vito');
  await expect(sheet(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet(page)).toHaveCount(0);
  await waitUntilPostponed(page);
  await page.reload();
  await openProfile(page);
  await expect(bodyCard(page).getByRole('button', { name: 'Add body data' })).toBeVisible();
  await expect(sheet(page)).toHaveCount(0);

  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, email);
  await expect(sheet(page).getByRole('heading', { name: 'A few numbers about you' })).toBeVisible();
  await context.close();
});

/** The app has heard that there is no body data, and has had time to show what it makes of it. */
async function hearOfNoBody(page: Page, path: string): Promise<void> {
  const heard = page.waitForResponse((response) => response.url().endsWith('/v1/users/bio-info'));
  await page.goto(path);
  expect((await heard).status()).toBe(404);
  await page.waitForTimeout(1_000);
}

test('the questions of the first run stay away from the scanner and from a running activity', async ({
  browser,
  server,
}) => {
  const wim = await signUpUnasked(browser, server, 'Wim');
  const { page } = wim;
  await expect(sheet(page)).toBeVisible();
  await hearOfNoBody(page, '/qr/scan');
  await expect(sheet(page)).toHaveCount(0);

  await hearOfNoBody(page, '/dashboard');
  await postponeWelcome(page);
  await openPool(wim, server);
  await startSwimming(wim);
  const phone = await signInElsewhere(browser, server, wim);
  await hearOfNoBody(phone.page, '/dashboard');
  await expect(phone.page.getByRole('main').getByText('La Cebada', { exact: false }).first()).toBeVisible();
  await expect(sheet(phone.page)).toHaveCount(0);
  await hearOfNoBody(phone.page, '/leaderboards');
  await expect(sheet(phone.page)).toHaveCount(0);
  for (const { context } of [wim, phone]) await context.close();
});

test('two tabs edit body data: the later one sees both versions, and nothing is lost', async ({ browser, server }) => {
  const { page: first, context } = await signUpUnasked(browser, server, 'Xenia');
  await answerWelcome(first);
  await openProfile(first);
  const second = await context.newPage();
  await openProfile(second);
  await bodyCard(second).getByRole('button', { name: 'Edit' }).click();
  await typeBody(second, { height: '171' });

  await bodyCard(first).getByRole('button', { name: 'Edit' }).click();
  await typeBody(first, { weight: '63' });
  await sheet(first).getByRole('button', { name: 'Save' }).click();
  await expect(bodyCard(first).getByText('63 kg')).toBeVisible();

  await sheet(second).getByRole('button', { name: 'Save' }).click();
  await expect(sheet(second).getByRole('heading', { name: 'Changed somewhere else' })).toBeVisible();
  await expect(sheet(second).getByRole('row', { name: 'Height 171 cm 170 cm' })).toBeVisible();
  await expect(sheet(second).getByRole('row', { name: 'Weight 63 kg 63 kg' })).toBeVisible();
  await sheet(second).getByRole('button', { name: 'Save mine' }).click();
  for (const text of ['171 cm', '63 kg']) await expect(bodyCard(second).getByText(text)).toBeVisible();
  await context.close();
});

test('a public id is changed; the old one and that of another are refused in the same words', async ({
  browser,
  server,
}) => {
  const yara = await signUp(browser, server, 'Yara');
  const zoe = await signUp(browser, server, 'Zoe');
  const taken = await readPublicId(zoe);
  const old = await readPublicId(yara);
  const wanted = `yara.${crypto.randomUUID().slice(0, 8)}`;
  const { page } = yara;
  await page.getByRole('button', { name: 'Change', exact: true }).click();
  await sheet(page).getByLabel('New public ID').fill('no spaces here');
  await sheet(page).getByRole('button', { name: 'Save' }).click();
  await expect(sheet(page).getByRole('alert')).toContainText('3 to 30 characters');
  await sheet(page).getByLabel('New public ID').fill(taken);
  await sheet(page).getByRole('button', { name: 'Save' }).click();
  const refusal = await sheet(page).getByRole('alert').innerText();
  await sheet(page).getByLabel('New public ID').fill(wanted.toUpperCase());
  await sheet(page).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(wanted, { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByText(wanted, { exact: true })).toBeVisible();

  await zoe.page.getByRole('button', { name: 'Change', exact: true }).click();
  await sheet(zoe.page).getByLabel('New public ID').fill(old);
  await sheet(zoe.page).getByRole('button', { name: 'Save' }).click();
  await expect(sheet(zoe.page).getByRole('alert')).toHaveText(refusal);
  for (const { context } of [yara, zoe]) await context.close();
});

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

test('both exports are files that can be read, and the third of a day is refused in words', async ({
  browser,
  server,
}) => {
  const { page, context, email } = await signUp(browser, server, 'Bea');
  await page.goto('/profile/account');
  const download = async (name: string) => {
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };
  const archive = await download('Download everything');
  expect(archive.name).toMatch(/\.json$/);
  expect(JSON.stringify(JSON.parse(archive.text))).toContain(email);
  const table = await download('Download activities');
  expect(table.name).toMatch(/\.csv$/);
  expect(table.text.split('\n')[0]).toContain('started_at');
  await page.getByRole('button', { name: 'Download everything' }).click();
  await expect(page.getByRole('alert')).toContainText('You have used both downloads of today.');
  await context.close();
});

test('a deleted account is locked at once, and signing in again brings it back', async ({ browser, server }) => {
  const carl = await signUpUnasked(browser, server, 'Carl');
  const { page, context } = carl;
  await answerWelcome(page);
  const public_id = await readPublicId(carl);
  await page.goto('/profile/account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  await sheet(page).getByRole('textbox').fill('somebody-else');
  await sheet(page).getByRole('button', { name: 'Delete for good' }).click();
  await expect(sheet(page).getByRole('alert')).toHaveText('That is not your public ID.');
  await sheet(page).getByRole('textbox').fill(public_id);
  await sheet(page).getByRole('button', { name: 'Delete for good' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Your account is locked', { exact: false })).toBeVisible();

  await signIn(page, carl.email);
  await expect(page.getByRole('heading', { level: 1, name: 'Account locked' })).toBeVisible();
  await expect(page.getByText(/erased for good on \w+ \d+ \w+, at \d\d:\d\d/)).toBeVisible();
  await page.getByRole('button', { name: 'Keep my account' }).click();
  await expect(page.getByText('Good to have you back')).toBeVisible();
  await openProfile(page);
  await expect(page.getByText(public_id, { exact: true })).toBeVisible();
  await expect(bodyCard(page).getByText('61.5 kg')).toBeVisible();
  await context.close();
});

test('without a network body data is shown with its age, and editing says what it needs [spec 1.offline.profile, 1.offline.bio-info, 8.bio-info.needs-network]', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUpUnasked(browser, server, 'Dana', WITH_WORKER);
  await answerWelcome(page);
  await openProfile(page);
  await waitForWorker(page);
  await context.setOffline(true);
  await page.reload();
  const card = bodyCard(page);
  await expect(card.getByText("You're offline. Last updated", { exact: false })).toBeVisible();
  await expect(card.getByText('61.5 kg')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Dana' })).toBeVisible();
  await expect(card.getByRole('button', { name: 'Needs a connection' })).toBeDisabled();
  await context.setOffline(false);
  await expect(card.getByRole('button', { name: 'Edit' })).toBeEnabled();
  await context.close();
});
