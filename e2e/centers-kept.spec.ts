import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContextOptions, chromium, expect } from '@playwright/test';
import { launchOptions, test } from './browser/fixtures.ts';
import { giveRoom, TOO_MANY_BYTES } from './browser/room.ts';
import { signUp, WITH_WORKER, WORKER_TIMEOUT_MS, waitForWorker } from './people/athlete.ts';
import { countFinished, openPool } from './people/swimming.ts';
import {
  emptyStore,
  goToTown,
  listHeading,
  MADRID,
  mapRested,
  openSaved,
  rowNames,
  settled,
} from './screens/centers.ts';

const PHONE = { ...MADRID, ...WITH_WORKER };
/** The app itself takes about 6 MB once a center and the map have been opened: that leaves 5 MB for its copies. */
const ROOM_BYTES = 11 * 1024 * 1024;
/** Less than the app itself takes. */
const TOO_FEW_BYTES = 3 * 1024 * 1024;

/**
 * Fills the quota left for copies: by a database foreign to the app, or by map tiles that the app once stored, which no
 * saved city needs (loose) or one does (pinned). Runs in the page.
 */
async function fillStorage(kind: 'foreign' | 'loose' | 'pinned'): Promise<void> {
  const [name, store] = kind === 'foreign' ? ['filler', 'bytes'] : ['sendlap-cache', 'map_tiles'];
  const copies = await navigator.storageBuckets?.open('copies');
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = (copies?.indexedDB ?? indexedDB).open(name);
    request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'id' });
    request.onsuccess = () => resolve(request.result);
  });
  const pinned = kind === 'pinned' ? ['full'] : [];
  const times = { cached_at: Date.now(), expires_at: Date.now() };
  const old = { zoom: 30, y: 0, url: '', ...times, pinned, pin_count: pinned.length };
  let x = 0;
  const put = (bytes: number) =>
    new Promise<boolean>((resolve) => {
      const transaction = database.transaction(store, 'readwrite');
      const block = new Uint8Array(bytes);
      for (let at = 0; at < bytes; at += 65_536) crypto.getRandomValues(block.subarray(at, at + 65_536));
      x += 1;
      transaction.objectStore(store).add({ ...old, id: `30-${x}-0`, x, data: new Blob([block]), bytes });
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () => resolve(false);
    });
  for (const bytes of [32_768, 8_192, 2_048]) while (await put(bytes));
  database.close();
}

/**
 * Runs in the page: whether there is no room for 2 KB beyond the outbox. Chromium's databases use the last room they
 * were told for half a minute, unless a write is larger: `too_many_bytes` make them ask again.
 */
async function isRefused(too_many_bytes: number): Promise<boolean> {
  const database = await new Promise<IDBDatabase>((resolve) => {
    const request = indexedDB.open('sendlap-outbox');
    request.onsuccess = () => resolve(request.result);
  });
  const put = (bytes: number) =>
    new Promise<boolean>((resolve) => {
      const transaction = database.transaction('ballast', 'readwrite');
      transaction.objectStore('ballast').put(new Blob([new Uint8Array(bytes)]), 'try');
      transaction.oncomplete = () => resolve(false);
      transaction.onabort = () => resolve(true);
    });
  const is_refused = (await put(too_many_bytes)) && (await put(2_048));
  database.close();
  return is_refused;
}

test('on a device with 5 MB the athlete is told that it is full, and search, map and screens go on', async ({
  browser,
  server,
}) => {
  const full = await signUp(browser, server, 'Full', PHONE, giveRoom(server, ROOM_BYTES));
  const { page, context } = full;
  await waitForWorker(page);
  await openPool(full, server);
  await mapRested(page);
  // The app evicts tiles if the quota is short: without any, it has nothing to evict.
  await emptyStore(page, 'map_tiles');
  await page.evaluate(fillStorage, 'foreign' as const);
  await page.getByRole('link', { name: 'Sport Centers' }).click();
  await settled(page);
  await goToTown(page, 'Barcelona', /^Barcelona/);
  expect((await rowNames(page)).length).toBeGreaterThan(1);
  await mapRested(page);
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

test('on a device without room for the app itself the athlete is told that it opens only with a network', async ({
  browser,
  server,
}) => {
  const { page, context } = await signUp(browser, server, 'Tight', PHONE, giveRoom(server, TOO_FEW_BYTES));
  const told = page.getByRole('region', { name: 'This device is full' });
  // Shown once the worker has fetched that much of the app.
  await expect(told).toContainText('it opens only with a network', { timeout: WORKER_TIMEOUT_MS });
  await told.getByRole('button', { name: 'Got it' }).click();
  await expect(told).toHaveCount(0);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active ?? null)).toBeNull();
  await context.close();
});

test('on a device whose 5 MB are full of map an activity begins and ends without network and is sent later, whether or not a saved city needs the map', async ({
  server,
}) => {
  const profiles: string[] = [];
  /** With a profile: a browser without one stores everything in memory, where deleted data keeps its room. */
  const newContext = async (options?: BrowserContextOptions) => {
    const profile_dir = await mkdtemp(join(tmpdir(), 'sendlap-profile-'));
    profiles.push(profile_dir);
    return chromium.launchPersistentContext(profile_dir, { ...launchOptions(), ...options });
  };
  const full = [];
  for (const kind of ['loose', 'pinned'] as const) {
    const name = kind === 'loose' ? 'Loose' : 'Pinned';
    const athlete = await signUp({ newContext }, server, name, PHONE, giveRoom(server, ROOM_BYTES));
    const { page } = athlete;
    await waitForWorker(page);
    await openPool(athlete, server);
    // The reserve was used up before: only evicting the map can make room.
    if (kind === 'pinned') await emptyStore(page, 'ballast');
    await page.evaluate(fillStorage, kind);
    full.push(athlete);
  }
  for (const athlete of full) {
    const { page, context } = athlete;
    await context.setOffline(true);
    expect(await page.evaluate(isRefused, TOO_MANY_BYTES)).toBe(true);
    await page.getByRole('button', { name: 'Start swimming' }).click();
    await page.getByRole('button', { name: 'Finish' }).click();
    await expect(page.getByRole('button', { name: 'Finish' })).toHaveCount(0);
    expect(await countFinished(server, athlete)).toBe(0);
    await context.setOffline(false);
    await expect.poll(() => countFinished(server, athlete)).toBe(1);
    await context.close();
  }
  for (const profile_dir of profiles) await rm(profile_dir, { recursive: true, force: true, maxRetries: 20 });
});
