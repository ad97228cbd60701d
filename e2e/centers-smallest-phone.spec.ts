import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { signUp } from './people/athlete.ts';
import { centerRows, MADRID, openCenters, searchField, settled, townOptions } from './screens/centers.ts';

/** Runs in the page, before the app. */
function scaleText(percent: number): void {
  document.addEventListener('DOMContentLoaded', () => {
    document.documentElement.style.fontSize = `${percent}%`;
  });
}

/** Returns by how many px the page is wider than the screen. */
function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
}

test('at 320 px, and with text of 200 %, nothing of the search, its suggestions, the saved cities or a center is wider than the screen', async ({
  browser,
  server,
}) => {
  for (const { viewport, percent } of [
    { viewport: { width: 320, height: 640 }, percent: 100 },
    { viewport: { width: 390, height: 844 }, percent: 200 },
  ]) {
    const look = `at ${viewport.width} px and ${percent} %`;
    const { page, context } = await signUp(browser, server, 'Narrow', { ...MADRID, viewport });
    await page.addInitScript(scaleText, percent);
    await openCenters(page);
    expect(await overflowOf(page), `list ${look}`).toBe(0);
    await searchField(page).fill('Londres');
    await expect(townOptions(page).first()).toBeVisible();
    expect(await overflowOf(page), `suggestions ${look}`).toBe(0);
    await townOptions(page).first().click();
    await settled(page);
    await page.getByRole('button', { name: 'Save offline' }).click();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Save on this device' })).toBeVisible();
    expect(await overflowOf(page), `saved cities ${look}`).toBe(0);
    await page.keyboard.press('Escape');
    await centerRows(page).first().click();
    await expect(page.getByRole('link', { name: 'Directions', exact: true })).toBeVisible();
    expect(await overflowOf(page), `center ${look}`).toBe(0);
    await context.close();
  }
});
