import { expect } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { fillStorage, giveRoom, ROOM_BYTES } from './browser/room.ts';
import { signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { openPool } from './people/swimming.ts';
import {
  emptyStore,
  goToTown,
  listHeading,
  MADRID,
  openSaved,
  rowNames,
  settled,
  waitForIdleMap,
} from './screens/centers.ts';

const PHONE = { ...MADRID, ...WITH_WORKER };

test('on a device with 5 MB the athlete reads that it is full, and search, map and screens keep working', async ({
  browser,
  server,
}) => {
  const full = await signUp(browser, server, 'Full', PHONE, giveRoom(server, ROOM_BYTES));
  const { page, context } = full;
  await waitForWorker(page);
  await openPool(full, server);
  await waitForIdleMap(page);
  // The app evicts tiles if the quota is short: without any, it has nothing to evict.
  await emptyStore(page, 'map_tiles');
  await page.evaluate(fillStorage, 'foreign' as const);
  await page.getByRole('link', { name: 'Sport Centers' }).click();
  await settled(page);
  await goToTown(page, 'Barcelona', /^Barcelona/);
  expect((await rowNames(page)).length).toBeGreaterThan(1);
  await waitForIdleMap(page);
  await openSaved(page);
  const sheet = page.getByRole('dialog', { name: 'Saved for offline' });
  await sheet.getByRole('button', { name: 'Save on this device' }).click();
  await expect(sheet.getByText(/^There is not enough room on this device/)).toBeVisible();
  await expect(sheet.getByText('Your cities')).toHaveCount(0);
  await page.keyboard.press('Escape');
  const told = page.getByRole('region', { name: 'This device is full' });
  await expect(told).toBeVisible();
  await told.getByRole('button', { name: 'Got it' }).click();
  await expect(told).toHaveCount(0);
  await goToTown(page, 'Vienna', /^Vienna/);
  await expect(listHeading(page)).toHaveText('Around Vienna');
  for (const path of ['/dashboard', '/leaderboards', '/profile']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Something went wrong' })).toHaveCount(0);
  }
  await context.close();
});
