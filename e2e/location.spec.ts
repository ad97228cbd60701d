import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { signUp } from './people/athlete.ts';
import { centerRows, listHeading, MADRID, openCenters, rowNames, settled, waitForIdleMap } from './screens/centers.ts';

const NEAR_CASTLE = { latitude: 51.5655, longitude: -0.0925, accuracy: 12 };

function locate(page: Page) {
  return page.getByRole('button', { name: 'Show where I am' }).click();
}

test('the app explains why before the browser asks; with a yes the nearest center comes first and the map shows my position', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Here', { ...MADRID, geolocation: NEAR_CASTLE });
  await openCenters(page);
  await expect(listHeading(page)).toHaveText('Around Madrid');
  await waitForIdleMap(page);
  await page.evaluate(() => {
    const { geolocation } = navigator;
    const ask = geolocation.getCurrentPosition.bind(geolocation);
    geolocation.getCurrentPosition = (...args) => {
      document.documentElement.dataset.asked = 'yes';
      ask(...args);
    };
  });
  await locate(page);
  const sheet = page.getByRole('dialog', { name: 'Find centers near you' });
  await expect(sheet).toContainText('the closest centers come first');
  await expect(sheet).toContainText('rounded to about 110 yd');
  await expect(page.locator('html')).not.toHaveAttribute('data-asked');
  await sheet.getByRole('button', { name: 'Not now' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.locator('html')).not.toHaveAttribute('data-asked');

  await locate(page);
  await context.grantPermissions(['geolocation']);
  // Searches with a radius are prefetches for offline use, sent whenever the device is idle.
  const asked = page.waitForRequest((request) => /\/v1\/sport-centers\/search\?(?!.*radius_km=)/.test(request.url()));
  await sheet.getByRole('button', { name: 'Use my position' }).click();
  const { searchParams } = new URL((await asked).url());
  expect([searchParams.get('latitude'), searchParams.get('longitude')]).toEqual(['51.566', '-0.092']);
  await expect(sheet).toHaveCount(0);
  await expect(listHeading(page)).toHaveText('Near you');
  await settled(page);
  await expect.poll(async () => (await rowNames(page))[0]).toBe('The Castle Climbing Centre');
  await expect(centerRows(page).first()).toContainText(/\d+ yd away/);
  await expect(page).toHaveURL(/near=me/);
  expect(page.url()).not.toContain('51.5');
  await context.close();
});
