import { expect, type Page } from '@playwright/test';
import { afterDelay } from '../apps/api/test/delays.ts';
import { test } from './browser/fixtures.ts';
import { signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { centerRows, MADRID, openCenters, readStore, rowNames, settled } from './screens/centers.ts';
import type { Server } from './server/server.ts';

/** Chromium's databases use the last quota they were told for this long. */
const ROOM_KNOWN_MS = 31_000;

/**
 * Downgrades the cache to version 2, as the app once created it, with more centers than would fit twice. Runs in the
 * page.
 */
async function downgradeCache(): Promise<void> {
  const answered = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const copies = (await navigator.storageBuckets?.open('copies'))?.indexedDB ?? indexedDB;
  const now = await answered(copies.open('sendlap-cache'));
  const stores = now.transaction(['sport_centers', 'user_profile']);
  const [profile] = await answered(stores.objectStore('user_profile').getAll());
  const centers = await answered(stores.objectStore('sport_centers').getAll());
  now.close();
  await answered(copies.deleteDatabase('sendlap-cache'));
  const opening = copies.open('sendlap-cache', 2);
  opening.onupgradeneeded = () => {
    const old = opening.result;
    old.createObjectStore('sport_centers').createIndex('city', 'city_folded');
    old.createObjectStore('user_profile');
    old.createObjectStore('activities', { keyPath: ['user_id', 'client_id'] }).createIndex('owner', 'user_id');
    old.createObjectStore('metadata', { keyPath: 'key' });
    old.createObjectStore('bio_info');
  };
  const old = await answered(opening);
  const writing = old.transaction(['sport_centers', 'user_profile'], 'readwrite');
  writing.objectStore('user_profile').put(profile, profile.user_id);
  for (const copy of centers) {
    // So heavy that the room which a deleted database still occupies for a while makes no difference.
    const weight = Array.from({ length: 4 }, () => crypto.getRandomValues(new Uint8Array(65_536)));
    writing.objectStore('sport_centers').put({ ...copy, weight }, copy.value.id);
  }
  await new Promise((resolve) => writing.addEventListener('complete', resolve));
  old.close();
}

/** Runs in the page: fills the remaining quota by a database foreign to the app. */
async function fillStorage(): Promise<void> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('filler');
    request.onupgradeneeded = () => request.result.createObjectStore('bytes', { autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
  });
  const put = (bytes: number) =>
    new Promise<boolean>((resolve) => {
      const transaction = database.transaction('bytes', 'readwrite');
      transaction.objectStore('bytes').add(crypto.getRandomValues(new Uint8Array(bytes)));
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () => resolve(false);
    });
  for (const bytes of [65_536, 8_192, 1_024]) while (await put(bytes));
  database.close();
}

/** Leaves this site no room. By then, deleted data no longer takes any. */
async function takeAllRoom(page: Page, server: Server): Promise<void> {
  await page.goto('about:blank');
  // Chromium does not show when it drops the old quota, and the page's clock does not affect it.
  await afterDelay(ROOM_KNOWN_MS);
  const devtools = await page.context().newCDPSession(page);
  const { usage } = await devtools.send('Storage.getUsageAndQuota', { origin: server.url });
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: usage });
  await page.goto('/v1/tiles');
  await page.evaluate(fillStorage);
}

test('a new version that starts on a full device without network finds who is signed in and every center kept before', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Updater', { ...MADRID, ...WITH_WORKER });
  await waitForWorker(page);
  await openCenters(page);
  const rows = await rowNames(page);
  const kept = await readStore<{ value: { id: string } }>(page, 'sport_centers');
  expect(kept.length).toBeGreaterThan(rows.length);
  // A page of this site outside the app, so that nothing has the cache open.
  await page.goto('/v1/tiles');
  await page.evaluate(downgradeCache);
  await takeAllRoom(page, server);
  await context.setOffline(true);
  await page.goto('/sport-centers');
  await settled(page);
  expect(await rowNames(page)).toEqual(rows);
  await expect(centerRows(page).first()).toContainText(/ (m|km)/);
  const after = await readStore<{ value: { id: string } }>(page, 'sport_centers');
  expect(after.map(({ value }) => value.id)).toEqual(kept.map(({ value }) => value.id));
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await context.close();
});
