import { expect, type Page } from '@playwright/test';
import { chatButton } from './chat-page.ts';
import { setTextSize, waitForLayout } from './every-look.ts';

const PHONE = { width: 390, height: 844 };
const SIZES = [{ width: 320, height: 700 }, PHONE, { width: 1280, height: 800 }];

/**
 * Expects of a screen with a chat button that the button covers no control at 320, 390 and 1280 px, and that nothing is
 * wider than 320 px.
 */
export async function expectFitting(page: Page, name: string): Promise<void> {
  for (const size of SIZES) {
    await page.setViewportSize(size);
    expect(await findCovered(page), `${name} at ${size.width} px`).toEqual([]);
    if (size.width === 320) expect(await widthOf(page), name).toBeLessThanOrEqual(320);
  }
  await page.setViewportSize(PHONE);
}

/** Expects that nothing is wider than the screen at 320 px, and at 390 px with text of 200 %. Leaves the phone's width. */
export async function expectNoOverflow(page: Page, name: string): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  await waitForLayout(page);
  await expect.poll(() => widthOf(page), `${name} at 320 px`).toBeLessThanOrEqual(320);
  await page.setViewportSize(PHONE);
  await page.evaluate(setTextSize, '200%');
  await waitForLayout(page);
  await expect.poll(() => widthOf(page), `${name} at text of 200 %`).toBeLessThanOrEqual(PHONE.width);
  await page.evaluate(setTextSize, '');
}

/** Returns the scrollable width, in px. */
export function widthOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth);
}

/** Returns the scrollable height, in px. */
export function heightOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollHeight);
}

/** Returns the names of the controls beneath the chat button while the page is at its top: scrolled, they go under the title bar. */
async function findCovered(page: Page): Promise<string[]> {
  await expect(chatButton(page)).toBeVisible();
  return chatButton(page).evaluate((button) => {
    scrollTo(0, 0);
    const { left, top, width, height } = button.getBoundingClientRect();
    const covered = new Set<Element>();
    for (let column = 1; column < 10; column += 1) {
      for (let row = 1; row < 10; row += 1) {
        for (const element of document.elementsFromPoint(left + (width * column) / 10, top + (height * row) / 10)) {
          const control = element.closest('main :is(a, button, label, input, select)');
          if (control && control !== button) covered.add(control);
        }
      }
    }
    return [...covered].map((control) => control.getAttribute('aria-label') ?? control.textContent);
  });
}
