import { readFileSync, writeFileSync } from 'node:fs';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { findCenterId, signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import {
  centerRows,
  emptyStore,
  goToTown,
  listHeading,
  MADRID,
  mapColors,
  openCenters,
  openSaved,
  panMap,
  readStore,
  recordTiles,
  rowNames,
  settled,
  waitForIdleMap,
} from './screens/centers.ts';
import { skipWithout } from './skip-without.ts';

const SAVED_AGE = /^Offline, saved /;

/** Shares of the map: more than MUCH is certainly land; after the view has moved a little, SOME of it is left. */
const [MUCH, SOME] = [0.04, 0.01];
/** Only a map with tiles has this color. */
const SEA = '194,224,232';
/** Only a map with streets has this color. */
const FOREST = '215,225,211';

/** Saves the centers in the list, and closes the sheet once they are listed. */
async function saveShown(page: Page): Promise<void> {
  await openSaved(page);
  const sheet = page.getByRole('dialog', { name: 'Saved for offline' });
  await expect(sheet.getByText(/^[\d,.]+ centers?, about [\d.,]+ [kM]?B$/)).toBeVisible();
  await sheet.getByRole('button', { name: 'Save on this device' }).click();
  await expect(sheet.getByRole('progressbar')).toHaveCount(0, { timeout: 60_000 });
  await expect(sheet.getByRole('region', { name: 'Your cities' }).getByRole('listitem')).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
}

/** Expects all of it from the device alone: the same list, its age, and a map without any tile from the network. */
async function expectSameOffline(
  page: Page,
  context: BrowserContext,
  before: { rows: string[]; heading: string; colors: string[] },
): Promise<void> {
  const tiles = recordTiles(context);
  // The browser may drop its own cache any day: only the app's copies count.
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  await context.setOffline(true);
  await page.reload();
  await expect(listHeading(page)).toHaveText(before.heading);
  await settled(page);
  await expect(page.getByText(SAVED_AGE)).toBeVisible();
  await expect.poll(() => rowNames(page)).toEqual(before.rows);
  await waitForIdleMap(page);
  await expect.poll(() => mapColors(page, SOME)).toEqual(expect.arrayContaining(before.colors));
  expect(tiles).toEqual([]);
}

/** Without the saved tiles there is no map: its colors tell the difference. */
async function expectNoMapWithoutTiles(page: Page, colors: string[]): Promise<void> {
  await emptyStore(page, 'map_tiles');
  await page.reload();
  await settled(page);
  await waitForIdleMap(page);
  expect(await mapColors(page, SOME)).not.toEqual(expect.arrayContaining(colors));
}

test('a searched, filtered and saved part of the map is the same without network: list, order, map, a center, with its age', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Saver', { ...MADRID, ...WITH_WORKER });
  await waitForWorker(page);
  await openCenters(page);
  // By the sea: land alone looks like a map without tiles.
  await goToTown(page, 'Barcelona', /^Barcelona/);
  await page.getByRole('button', { name: 'Swimming', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Swimming', exact: true })).toHaveAttribute('aria-pressed', 'true');
  // The answer also moves the map, which removes the question whether to search the area that the athlete moved to.
  await settled(page);
  await waitForIdleMap(page);
  await panMap(page, -60, 20);
  await page.getByRole('button', { name: 'Search this area' }).click();
  await expect(listHeading(page)).toHaveText('In this area');
  await settled(page);
  const rows = await rowNames(page);
  expect(rows.length).toBeGreaterThan(1);
  await saveShown(page);

  await waitForIdleMap(page);
  // The map also rests while its tiles are still being read.
  await expect.poll(() => mapColors(page, MUCH)).toContain(SEA);
  const colors = await mapColors(page, MUCH);
  await expectSameOffline(page, context, { rows, heading: 'In this area', colors });
  await centerRows(page).last().click();
  await expect(page.getByRole('heading', { level: 1, name: rows.at(-1) ?? '' })).toBeVisible();
  await expect(page.getByText(/Last updated: /)).toBeVisible();
  await page.goBack();

  await expectNoMapWithoutTiles(page, colors);
  await context.close();
});

/** Writes the data folder's centers that are on its street map. */
function writeAndorra(folder: string, path: string): string {
  type Places = { features: { properties: { country: string | null } }[] };
  const { features, ...rest } = JSON.parse(readFileSync(`${folder}/sport-centers.geojson`, 'utf8')) as Places;
  const andorran = features.filter(({ properties }) => properties.country === 'AD');
  writeFileSync(path, JSON.stringify({ ...rest, features: andorran }));
  return path;
}

test.describe('where the operator has a street map', () => {
  const folder = process.env.CENTERS_DATA_DIR;
  test.use({ server_settings: folder ? { MAP_STREETS: `${folder}/andorra.pmtiles` } : {} });

  test('a saved city keeps its streets too', async ({ browser, server }, test_info) => {
    skipWithout(folder ? undefined : 'a folder CENTERS_DATA_DIR with andorra.pmtiles and sport-centers.geojson');
    await server.sendlap('centers', 'import', writeAndorra(folder ?? '', test_info.outputPath('andorra.geojson')));
    const { page, context } = await signUp(browser, server, 'Streets', {
      timezoneId: 'Europe/Andorra',
      ...WITH_WORKER,
    });
    await waitForWorker(page);
    // The server finds imported centers a few seconds later; a browser caches earlier answers for minutes.
    await expect(() => findCenterId(server, 'Hotel Pyrénées Swimming pool')).toPass();
    await openCenters(page);
    expect(await rowNames(page)).toContain('Hotel Pyrénées Swimming pool');
    await goToTown(page, 'Andorra la Vella', /^Andorra la Vella/);
    await expect(page.getByText(/OpenStreetMap/).first()).toBeVisible();
    await saveShown(page);
    await waitForIdleMap(page);
    await expect.poll(() => mapColors(page, MUCH)).toContain(FOREST);
    const colors = await mapColors(page, MUCH);
    const rows = await rowNames(page);
    const streets = (await readStore<{ id: string }>(page, 'map_tiles')).filter(({ id }) => id.startsWith('streets-'));
    expect(streets.length).toBeGreaterThan(10);
    const heading = 'Around Andorra la Vella';
    await expectSameOffline(page, context, { rows, heading, colors });
    await context.close();
  });
});
