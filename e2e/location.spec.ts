import { expect, type Page } from '@playwright/test';
import { type Athlete, signUp } from './athlete.ts';
import { centerRows, listHeading, MADRID, mapRested, openCenters, rowNames, settled } from './centers.ts';
import { test } from './fixtures.ts';
import { befriend } from './friends.ts';
import { untilQuiet } from './quiet-page.ts';
import { openPool } from './swimming.ts';

const AT_POOL = { latitude: 40.4112, longitude: -3.7093, accuracy: 10 };
const NEAR_CASTLE = { latitude: 51.5655, longitude: -0.0925, accuracy: 12 };

function locate(page: Page) {
  return page.getByRole('button', { name: 'Show where I am' }).click();
}

test('the app says why before the browser asks; with a yes the nearest center comes first and I am on the map', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Here', { ...MADRID, geolocation: NEAR_CASTLE });
  await openCenters(page);
  await expect(listHeading(page)).toHaveText('Around Madrid');
  await mapRested(page);
  await page.evaluate(() => {
    const { geolocation } = navigator;
    const ask = geolocation.getCurrentPosition.bind(geolocation);
    geolocation.getCurrentPosition = (...args) => {
      document.documentElement.dataset.asked = 'yes';
      ask(...args);
    };
  });
  await locate(page);
  const sheet = page.getByRole('dialog', { name: 'Find what is near you' });
  await expect(sheet).toContainText('the closest centers come first');
  await expect(sheet).toContainText('rounded to about 100 m');
  await expect(page.locator('html')).not.toHaveAttribute('data-asked');
  await sheet.getByRole('button', { name: 'Not now' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.locator('html')).not.toHaveAttribute('data-asked');

  await locate(page);
  await context.grantPermissions(['geolocation']);
  // What is kept for times without network is asked for with a radius, whenever the device has nothing else to do.
  const asked = page.waitForRequest((request) => /\/v1\/sport-centers\/search\?(?!.*radius_km=)/.test(request.url()));
  await sheet.getByRole('button', { name: 'Use my position' }).click();
  const { searchParams } = new URL((await asked).url());
  expect([searchParams.get('latitude'), searchParams.get('longitude')]).toEqual(['51.566', '-0.092']);
  await expect(sheet).toHaveCount(0);
  await expect(listHeading(page)).toHaveText('Near you');
  await settled(page);
  await expect.poll(async () => (await rowNames(page))[0]).toBe('The Castle Climbing Centre');
  await expect(centerRows(page).first()).toContainText(/\d+ m away/);
  await expect(page).toHaveURL(/near=me/);
  expect(page.url()).not.toContain('51.5');
  await context.close();
});

/** What the browser would say; it cannot be brought to say it otherwise. */
function failWith(code: number): void {
  navigator.permissions.query = async () => ({ state: code === 1 ? 'denied' : 'prompt' }) as PermissionStatus;
  navigator.geolocation.getCurrentPosition = (_, fail) => {
    fail?.({ code, message: '' } as GeolocationPositionError);
  };
}

const FAILURES = [
  { code: 1, what: 'Location permission denied.' },
  { code: 2, what: 'Location unavailable.' },
  { code: 3, what: 'Location request timed out.' },
];

for (const { code, what } of FAILURES) {
  test(`a position that does not come is explained, with a way on: ${what}`, async ({ browser, server }) => {
    const { page, context } = await signUp(browser, server, 'Lost', MADRID);
    await openCenters(page);
    const rows = await rowNames(page);
    await page.evaluate(failWith, code);
    await locate(page);
    if (code !== 1) await page.getByRole('button', { name: 'Use my position' }).click();
    const sheet = page.getByRole('dialog');
    await expect(sheet.getByRole('alert')).toHaveText(what);
    await sheet.getByRole('button', { name: 'Try again' }).click();
    await expect(sheet.getByRole('alert')).toHaveText(what);
    await sheet.getByRole('button', { name: 'Type a city instead' }).click();
    await expect(sheet).toHaveCount(0);
    expect(await rowNames(page)).toEqual(rows);
    await context.close();
  });
}

test('a friend sees my name at the center where I am once I have switched that on, and not any more once it is off', async ({
  browser,
  server,
}) => {
  const position = { geolocation: AT_POOL, permissions: ['geolocation'] };
  const climber = await signUp(browser, server, 'Petra', { ...MADRID, ...position });
  const friend = await signUp(browser, server, 'Quirin', MADRID);
  const stranger = await signUp(browser, server, 'Rita', MADRID);
  await befriend(server, climber, friend);
  const center = `/sport-centers/${await openPool(friend, server)}`;
  const here = (page: Page) => page.getByText('Friends here now');
  const look = async ({ page }: Athlete) => {
    const answered = page.waitForResponse((response) => /\/v1\/(user-)?locations?\b/.test(response.url()));
    await page.goto(center);
    expect((await answered).status()).toBe(200);
    await expect(page.getByRole('link', { name: 'Directions', exact: true })).toBeVisible();
    await untilQuiet(page);
  };
  await look(friend);
  await expect(here(friend.page)).toHaveCount(0);

  await climber.page.getByRole('link', { name: 'Profile' }).click();
  const presence = climber.page.getByRole('switch', { name: 'Show friends where I train' });
  await expect(presence).not.toBeChecked();
  const reported = climber.page.waitForResponse(
    (response) => response.url().endsWith('/v1/user-location') && response.request().method() === 'POST',
  );
  await presence.click();
  await expect(presence).toBeChecked();
  expect((await reported).status()).toBeLessThan(300);

  await look(friend);
  await expect(here(friend.page)).toBeVisible();
  const card = friend.page.locator('section').filter({ has: here(friend.page) });
  await expect(card.getByRole('listitem')).toHaveText(['Petra']);
  expect(await card.innerText()).not.toMatch(/\d/);
  await look(stranger);
  await expect(here(stranger.page)).toHaveCount(0);

  await presence.click();
  await expect(presence).not.toBeChecked();
  await expect(presence).toBeEnabled();
  await look(friend);
  await expect(here(friend.page)).toHaveCount(0);
  for (const { context } of [climber, friend, stranger]) await context.close();
});
