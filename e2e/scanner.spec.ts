import { expect } from '@playwright/test';
import { encodeFriendCode, encodeInviteCode, qrUrl } from '../packages/domain/src/qr-code.ts';
import { type Athlete, findCenterId, PASSWORD, passTime, readPublicId, signUp } from './athlete.ts';
import { blockCamera, launchWithCamera } from './camera.ts';
import { test } from './fixtures.ts';
import { befriend } from './friends.ts';
import type { Server } from './server.ts';
import { finishAndShowCode, openPool, openScanner, POOL, startSwimming } from './swimming.ts';

/** Puts the page out of sight, as another app in front of it does. Runs in the page. */
function setVisibility(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Which camera runs on the page; null: none. Runs in the page. */
function readCamera(): string | null {
  const { srcObject } = document.querySelector('video') ?? {};
  const track = srcObject instanceof MediaStream ? srcObject.getVideoTracks()[0] : undefined;
  return track?.readyState === 'live' ? (track.getSettings().deviceId ?? null) : null;
}

async function openFriendCode({ page }: Athlete): Promise<void> {
  await page.goto('/qr/generate?show=friend');
  await expect(page.getByRole('img', { name: /QR code of your public id/ })).toBeVisible();
}

async function inviteReferee(server: Server, center_id: string): Promise<string> {
  const printed = await server.sendlap('referees', 'invite', '--center', center_id, '--json');
  const { url } = JSON.parse(printed.slice(printed.indexOf('{'))) as { url: string };
  return url;
}

test('without a camera a picture of the code does, and one without a code says so', async ({ browser, server }) => {
  const ada = await signUp(browser, server, 'Ada');
  const { page, context } = await signUp(browser, server, 'Bea', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.addInitScript(blockCamera);
  await openScanner(page);
  await expect(page.getByRole('heading', { name: 'The camera is off for Sendlap' })).toBeVisible();
  await expect(page.getByText('Click the icon left of the address, allow the camera')).toBeVisible();
  const choose = async (buffer: Buffer, mimeType = 'image/png') => {
    const chosen = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a picture of a code' }).click();
    await (await chosen).setFiles({ name: 'picture', mimeType, buffer });
  };
  await choose(Buffer.from('no picture at all'));
  await expect(page.getByText("This picture can't be read").first()).toBeVisible();
  await choose(await page.screenshot());
  await expect(page.getByText('There is no QR code in this picture').first()).toBeVisible();

  const public_id = await readPublicId(ada);
  await openFriendCode(ada);
  await choose(await ada.page.screenshot({ type: 'jpeg' }), 'image/jpeg');
  const sheet = page.getByRole('dialog', { name: "A friend's code" });
  await expect(sheet.getByText(public_id, { exact: true })).toBeVisible();
  await sheet.getByRole('button', { name: 'Copy id' }).click();
  await expect(page.getByText('Copied').first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(public_id);
  for (const athlete of [ada.context, context]) await athlete.close();
});

test('the chosen camera is remembered, a hidden page gives it back, and without a lamp there is no light button', async ({
  server,
  launch,
}) => {
  const browser = await launch(['--use-fake-device-for-media-stream=device-count=2', '--use-fake-ui-for-media-stream']);
  const { page, context } = await signUp(browser, server, 'Cleo', { permissions: ['camera'] });
  await page.goto('/qr/scan');
  await expect.poll(() => page.evaluate(readCamera)).not.toBeNull();
  const first = await page.evaluate(readCamera);
  await page.getByRole('button', { name: 'Choose the camera' }).click();
  await page.getByRole('dialog').getByRole('button', { pressed: false }).filter({ hasText: 'fake_device' }).click();
  await expect.poll(() => page.evaluate(readCamera)).not.toBe(first);
  await expect.poll(() => page.evaluate(readCamera)).not.toBeNull();
  const second = await page.evaluate(readCamera);
  await page.reload();
  await expect.poll(() => page.evaluate(readCamera)).toBe(second);
  await expect(page.getByRole('button', { name: 'Light' })).toHaveCount(0);

  await page.evaluate(setVisibility, 'hidden' as const);
  await expect.poll(() => page.evaluate(readCamera)).toBeNull();
  await page.evaluate(setVisibility, 'visible' as const);
  await expect.poll(() => page.evaluate(readCamera)).toBe(second);
  await context.close();
});

test('a code that the phone’s own camera read opens at its place, also over a sign-in, and stays in no address', async ({
  browser,
  server,
}) => {
  const { page, context, email } = await signUp(browser, server, 'Dora');
  const link = qrUrl(server.url, encodeFriendCode('nina.climbs'));
  await page.goto(link);
  await expect(page.getByRole('dialog').getByText('nina.climbs', { exact: true })).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');
  await context.close();

  const elsewhere = await browser.newContext({ baseURL: server.url });
  const door = await elsewhere.newPage();
  await door.goto(link);
  await door.getByRole('button', { name: 'Sign in', exact: true }).first().click();
  await expect(door).toHaveURL(/\/oidc\//);
  await door.getByLabel('E-mail').fill(email);
  await door.getByLabel('Password').fill(PASSWORD);
  await door.getByRole('button', { name: 'Sign in' }).click();
  await expect(door.getByRole('dialog').getByText('nina.climbs', { exact: true })).toBeVisible();
  expect(door.url()).toBe(`${server.url}/qr/scan`);
  await elsewhere.close();
});

test('an invite makes a referee once: the second to open it is told so', async ({ browser, server }) => {
  const [rex, late] = [await signUp(browser, server, 'Rex'), await signUp(browser, server, 'Late')];
  const link = await inviteReferee(server, await findCenterId(server, POOL));
  await rex.page.goto(link);
  const sheet = rex.page.getByRole('dialog', { name: 'An invite to be a referee' });
  await sheet.getByRole('button', { name: 'Accept' }).click();
  await expect(sheet.getByRole('heading', { name: /You are a referee at .*La Cebada/ })).toBeVisible();
  await expect(sheet.getByText('Swimming')).toBeVisible();

  await late.page.goto(link);
  await late.page.getByRole('button', { name: 'Accept' }).click();
  await expect(late.page.getByRole('alert')).toHaveText('This invite is not valid any more, or was used already.');
  await late.page.goto(qrUrl(server.url, encodeInviteCode('none-such-code')));
  await late.page.getByRole('button', { name: 'Accept' }).click();
  await expect(late.page.getByRole('alert')).toHaveText('This invite is not valid any more, or was used already.');

  await rex.page.goto('/profile');
  await expect(rex.page.getByText(POOL).first()).toBeVisible();
  for (const { context } of [rex, late]) await context.close();
});

test('a friend who trains at the same place confirms an activity, and can take that back', async ({
  browser,
  server,
  launch,
}) => {
  const camera = await launchWithCamera(launch);
  const mia = await signUp(browser, server, 'Mia');
  const noa = await signUp(camera.browser, server, 'Noa', { permissions: ['camera'] });
  const both = [mia, noa];
  await befriend(server, mia, noa);
  for (const athlete of both) {
    await openPool(athlete, server);
    await startSwimming(athlete);
  }
  await passTime(server, both, 30);
  await finishAndShowCode(mia);
  await camera.lookAt(mia.page);
  await openScanner(noa.page);
  const card = noa.page.getByRole('dialog', { name: 'Is this right?' });
  await expect(card.getByText('not for public boards')).toBeVisible();
  await expect(card.getByRole('button', { name: 'Reject' })).toHaveCount(0);
  await expect(card.getByRole('button', { name: 'Adjust' })).toHaveCount(0);
  await card.getByRole('button', { name: 'Confirm as a friend' }).click();
  await expect(noa.page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();
  await expect(mia.page.getByRole('heading', { name: 'Confirmed' })).toBeVisible();

  await noa.page.goto('/qr/decisions');
  const row = noa.page.getByRole('listitem').filter({ hasText: 'Mia' });
  await expect(row).toContainText('As a friend');
  await row.getByRole('button', { name: 'Take it back' }).click();
  await noa.page.getByRole('button', { name: 'Undo' }).click();
  await expect(row.getByRole('button', { name: 'Take it back' })).toBeVisible();
  await row.getByRole('button', { name: 'Take it back' }).click();
  await expect(row).toContainText('It is being taken back.');
  await noa.context.clock.fastForward(6_000);
  await expect(row).toContainText('Taken back');
  await mia.page.goto('/dashboard');
  await expect(mia.page.getByRole('img', { name: '0 of 600 points this week' })).toBeVisible();
  for (const { context } of both) await context.close();
});
