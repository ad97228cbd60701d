import { expect } from '@playwright/test';
import { recordErrors } from './browser/console.ts';
import { test } from './browser/fixtures.ts';
import { signUp } from './people/athlete.ts';
import {
  centerRows,
  listHeading,
  MADRID,
  mapCanvas,
  openCenters,
  panMap,
  rowNames,
  searchField,
  settled,
  waitForIdleMap,
} from './screens/centers.ts';
import { expectNoOverflow } from './screens/layout.ts';
import { lookAtScreen } from './screens/look.ts';

test('after the map was moved the list follows only on demand; a detail, the way back and a reload keep it; the drawn map has no barrier that axe knows and is not wider than the screen; the console has no error', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Panner', MADRID);
  const errors = recordErrors(page);
  await openCenters(page);
  const before = await rowNames(page);
  await waitForIdleMap(page);
  const searchHere = page.getByRole('button', { name: 'Search this area' });
  await expect(searchHere).toBeHidden();
  await panMap(page, 90, 60);
  await expect(searchHere).toBeVisible();
  expect(await rowNames(page)).toEqual(before);

  const asked = page.waitForResponse((response) => response.url().includes('bbox='));
  await searchHere.click();
  expect((await asked).status()).toBe(200);
  await expect(listHeading(page)).toHaveText('In this area');
  await settled(page);
  const inArea = await rowNames(page);
  await expect(page).toHaveURL(/area=/);
  const address = page.url();

  const name = inArea.at(-1) ?? '';
  await centerRows(page).filter({ hasText: name }).click();
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Directions', exact: true })).toBeVisible();
  await page.goBack();
  await expect(listHeading(page)).toHaveText('In this area');
  await settled(page);
  expect(await rowNames(page)).toEqual(inArea);
  expect(page.url()).toBe(address);

  await page.reload();
  await expect(listHeading(page)).toHaveText('In this area');
  await settled(page);
  expect(await rowNames(page)).toEqual(inArea);

  await waitForIdleMap(page);
  await lookAtScreen(page, 'centers-map');
  await expectNoOverflow(page, 'drawn map');
  expect(errors).toEqual([]);
  await context.close();
});

test('the keyboard alone picks a town, moves the map, searches there and opens a center', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Keys', {
    ...MADRID,
    viewport: { width: 1280, height: 800 },
  });
  await openCenters(page);
  await waitForMapCanvas(page);
  await searchField(page).focus();
  await page.keyboard.type('vienna');
  const option = page.getByRole('option', { name: /^Vienna/ }).first();
  await expect(option).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  expect(await searchField(page).getAttribute('aria-activedescendant')).toBe(await option.getAttribute('id'));
  await page.keyboard.press('Enter');
  await expect(listHeading(page)).toHaveText('Around Vienna');
  await settled(page);

  // The map follows the list a moment later: a move before that does not count.
  await waitForIdleMap(page);
  await mapCanvas(page).focus();
  for (const key of ['ArrowLeft', '+']) await page.keyboard.press(key);
  const searchHere = page.getByRole('button', { name: 'Search this area' });
  await expect(searchHere).toBeVisible();
  await page.keyboard.press('Minus');
  await tabTo(page, 'Search this area');
  await page.keyboard.press('Enter');
  await expect(listHeading(page)).toHaveText('In this area');
  await settled(page);

  await searchField(page).focus();
  const [first = ''] = await rowNames(page);
  await tabTo(page, first);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: first })).toBeVisible();
  await context.close();
});

type Page = Parameters<typeof openCenters>[0];

async function waitForMapCanvas(page: Page): Promise<void> {
  await expect(page.locator('canvas.maplibregl-canvas')).toBeVisible();
}

/** Presses Tab until the focus is on the element of this name. Fails if it never is. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  for (let step = 0; step < 60; step++) {
    if ((await focused()).includes(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never comes to ${name}`);
}
