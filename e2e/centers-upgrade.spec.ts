import { expect, type Page } from '@playwright/test';
import { test } from './browser/fixtures.ts';
import { giveRoom, readUsage, TOO_MANY_BYTES } from './browser/room.ts';
import { signUp, WITH_WORKER, waitForWorker } from './people/athlete.ts';
import { centerRows, MADRID, openCenters, readStore, rowNames, settled } from './screens/centers.ts';
import type { Server } from './server/server.ts';

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

/**
 * Runs in the page: fills the remaining quota by databases foreign to the app, in each of its two buckets.
 * `too_many_bytes` are refused, and tell the databases the new quota.
 */
async function fillStorage(too_many_bytes: number): Promise<void> {
  for (const databases of [(await navigator.storageBuckets?.open('copies'))?.indexedDB, indexedDB]) {
    if (!databases) continue;
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = databases.open('filler');
      request.onupgradeneeded = () => request.result.createObjectStore('bytes', { autoIncrement: true });
      request.onsuccess = () => resolve(request.result);
    });
    const put = (bytes: number) =>
      new Promise<boolean>((resolve) => {
        const value = new Uint8Array(bytes);
        for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(value.subarray(at, at + 65_536));
        const transaction = database.transaction('bytes', 'readwrite');
        transaction.objectStore('bytes').add(value);
        transaction.oncomplete = () => resolve(true);
        transaction.onabort = () => resolve(false);
      });
    if (await put(too_many_bytes)) throw new Error(`there is room for ${too_many_bytes} bytes`);
    for (const bytes of [65_536, 8_192, 1_024]) while (await put(bytes));
    database.close();
  }
}

/** Leaves this site no room. */
async function takeAllRoom(page: Page, server: Server): Promise<void> {
  await giveRoom(server, await readUsage(page, server))(page);
  await page.evaluate(fillStorage, TOO_MANY_BYTES);
}

test('a new version that starts on a full device without network finds who is signed in and every center kept before', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(
    browser,
    server,
    'Updater',
    { ...MADRID, ...WITH_WORKER },
    giveRoom(server, TOO_MANY_BYTES),
  );
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
  await expect(centerRows(page).first()).toContainText(/ (yd|mi)/);
  const after = await readStore<{ value: { id: string } }>(page, 'sport_centers');
  expect(after.map(({ value }) => value.id)).toEqual(kept.map(({ value }) => value.id));
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await context.close();
});
