import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { signUp } from './people/athlete.ts';
import { sheet } from './people/profile.ts';

/** So low that the sheet's content does not fit. */
const LOW_PHONE = { viewport: { width: 390, height: 330 }, hasTouch: true };
const SWIPE_STEPS = 12;

/** Moves a finger down the page by `distance_px`. */
async function swipeDown(page: Page, x: number, y: number, distance_px: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints });
  await send('touchStart', [{ x, y }]);
  for (let step = 1; step <= SWIPE_STEPS; step += 1) {
    await send('touchMove', [{ x, y: y + (distance_px * step) / SWIPE_STEPS }]);
  }
  await send('touchEnd', []);
  await devtools.detach();
}

test('a swipe down closes a sheet and gives the focus back, a swipe in its scrolled content only scrolls', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Swiper', LOW_PHONE);
  await page.goto('/profile/account');
  const opener = page.getByRole('button', { name: 'Delete account' });
  await opener.click();
  const content = sheet(page).locator('.overflow-y-auto');
  const readScroll = () => content.evaluate(({ scrollTop }) => scrollTop);
  await expect(sheet(page).getByRole('textbox').first()).toBeVisible();
  await content.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  const scrolled_px = await readScroll();
  expect(scrolled_px).toBeGreaterThan(20);
  const shown = await content.boundingBox();
  await swipeDown(page, 195, (shown?.y ?? 0) + 20, 60);
  await expect.poll(readScroll).toBeLessThan(scrolled_px);
  await expect(sheet(page)).toBeVisible();

  const box = await sheet(page).boundingBox();
  await swipeDown(page, 195, (box?.y ?? 0) + 12, 300);
  await expect(sheet(page)).toHaveCount(0);
  await expect(opener).toBeFocused();
  await context.close();
});
