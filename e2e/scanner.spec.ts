import { expect } from '@playwright/test';
import { blockCamera } from './browser/camera.ts';
import { test } from './browser/fixtures.ts';
import { type Athlete, readPublicId, signUp } from './people/athlete.ts';
import { openScanner } from './people/swimming.ts';

/** Hides the page, as another app in front of it does. Runs in the page. */
function setVisibility(state: DocumentVisibilityState): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  document.dispatchEvent(new Event('visibilitychange'));
}

/** Returns the camera that runs on the page; null: none. Runs in the page. */
function readCamera(): string | null {
  const { srcObject } = document.querySelector('video') ?? {};
  const track = srcObject instanceof MediaStream ? srcObject.getVideoTracks()[0] : undefined;
  return track?.readyState === 'live' ? (track.getSettings().deviceId ?? null) : null;
}

async function openFriendCode({ page }: Athlete): Promise<void> {
  await page.goto('/qr/generate?show=friend');
  await expect(page.getByRole('img', { name: /QR code of your public ID/ })).toBeVisible();
}

test('a camera without permission gives a screen that says how to allow it, typed digits and a picture of the code; a picture without a code says so', async ({
  browser,
  server,
}) => {
  const ada = await signUp(browser, server, 'Ada');
  const { page, context } = await signUp(browser, server, 'Bea', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await context.addInitScript(blockCamera);
  await openScanner(page);
  await expect(page.getByRole('heading', { name: 'The camera is off for Sendlap' })).toBeVisible();
  await expect(page.getByText('Click the icon left of the address, allow the camera')).toBeVisible();
  await page.getByRole('button', { name: 'Type the 8 digits' }).click();
  const digits = page.getByRole('textbox', { name: '8 digits' });
  await digits.fill('12345678');
  await page.getByRole('button', { name: 'Look up' }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(digits).toHaveCount(0);

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
  await sheet.getByRole('button', { name: 'Copy ID' }).click();
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
