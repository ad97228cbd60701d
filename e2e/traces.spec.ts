import { type Browser, expect, type Page } from '@playwright/test';
import { findTraces, readBrowserStores } from './browser/browser-stores.ts';
import { test } from './browser/fixtures.ts';
import {
  type Athlete,
  addPerson,
  passTime,
  signIn,
  signUpByHand,
  WITH_WORKER,
  waitForWorker,
} from './people/athlete.ts';
import { collectCanaries, recordTokens } from './people/canaries.ts';
import { befriend } from './people/friends.ts';
import { finishAndShowCode, openPool, startSwimming } from './people/swimming.ts';
import { declineWheneverAsked } from './people/welcome.ts';
import { log, startChat, write } from './screens/chat-page.ts';
import type { Server } from './server/server.ts';

/** Names that do not occur in the app's texts. */
const [A, B] = ['Kazimierska', 'Wolfenbrink'];

/** Returns the id of the activity. */
async function swim(athlete: Athlete, server: Server): Promise<string> {
  await openPool(athlete, server);
  await startSwimming(athlete);
  return new URL(athlete.page.url()).pathname.split('/').at(-1) ?? '';
}

/** Signs up a new athlete, and collects all texts that could identify them. */
async function openAthlete(browser: Browser, server: Server) {
  const athlete = await signUpByHand(browser, server, A, WITH_WORKER);
  const readTokens = recordTokens(athlete.context);
  await athlete.page.reload();
  await expect(athlete.page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(async () => (await readTokens()).access.length).toBeGreaterThan(0);
  const collect = () => collectCanaries(server, athlete, readTokens);
  await expect.poll(async () => (await collect())['device key id']).not.toBe('');
  return { ...athlete, collect };
}

/** Returns the message that the athlete has sent to a friend. */
async function writeToFriend(athlete: Athlete, server: Server): Promise<string> {
  await befriend(server, athlete, await addPerson(server, 'Otti'));
  const text = 'See you at the Kahlenberg';
  const { page } = athlete;
  await page.goto('/dashboard');
  await startChat(page, 'Otti');
  await write(page, text);
  await expect(log(page)).toContainText('Sent');
  return text;
}

/** As `openAthlete`, after swimming, showing a code, writing to a friend and opening ranks, home and profile. */
async function openBusyAthlete(browser: Browser, server: Server) {
  const athlete = await openAthlete(browser, server);
  const { page, email } = athlete;
  const activity_id = await swim(athlete, server);
  await passTime(server, [athlete], 45);
  await finishAndShowCode(athlete);
  const message = await writeToFriend(athlete, server);
  for (const path of ['/leaderboards', '/dashboard', '/profile']) {
    // The screen is drawn from the device's copies first: the newest token is known only after the refresh.
    const refreshed = page.waitForResponse(/\/v1\/auth\/refresh$/);
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await refreshed;
  }
  await expect(page.getByText(email)).toBeVisible();
  const canaries: Record<string, string> = { ...(await athlete.collect()), 'activity id': activity_id, message };
  return { ...athlete, canaries };
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
}

async function tracesOf(page: Page, canaries: Record<string, string>): Promise<string[]> {
  return findTraces(await readBrowserStores(page), canaries);
}

/** Waits until no trace of a user who has left is found: work in progress may still write. */
async function expectNoTrace(page: Page, canaries: Record<string, string>): Promise<void> {
  await expect.poll(() => tracesOf(page, canaries)).toEqual([]);
}

/** Runs in the page: writes the same text to every kind of store. */
async function plant(canary: string): Promise<void> {
  localStorage.setItem(canary, '');
  sessionStorage.setItem('planted', canary);
  history.replaceState({ canary }, '');
  const cache = await caches.open('planted');
  await cache.put(`/planted?${canary}`, new Response(''));
  await cache.put('/planted', new Response(canary));
  const bucket = await navigator.storageBuckets?.open('planted');
  const places = { planted: indexedDB, 'in-bucket': bucket?.indexedDB ?? indexedDB };
  for (const [name, databases] of Object.entries(places)) {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const request = databases.open(name);
      request.onupgradeneeded = () => {
        for (const store of ['keys', 'values', 'bytes']) request.result.createObjectStore(store);
      };
      request.onsuccess = () => resolve(request.result);
    });
    const transaction = database.transaction(['keys', 'values', 'bytes'], 'readwrite');
    transaction.objectStore('keys').put('', canary);
    transaction.objectStore('values').put({ deep: [{ in: canary }] }, 1);
    transaction.objectStore('bytes').put(new TextEncoder().encode(canary), 1);
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    database.close();
  }
}

/** The control: the scan finds a text in every kind of store that a browser has. */
async function expectScanToFind(browser: Browser, server: Server): Promise<void> {
  const context = await browser.newContext({ baseURL: server.url });
  const page = await context.newPage();
  await page.goto('/login');
  await context.addCookies([{ name: 'planted', value: 'zzCANARYzz', url: server.url, httpOnly: true }]);
  await page.evaluate(plant, 'zzCANARYzz');
  expect((await tracesOf(page, { it: 'zzcanaryzz' })).sort()).toEqual([
    `it in cache planted, ${server.url}/planted`,
    `it in cache planted, ${server.url}/planted?zzCANARYzz`,
    'it in cookie planted',
    'it in database in-bucket, store bytes',
    'it in database in-bucket, store keys',
    'it in database in-bucket, store values',
    'it in database planted, store bytes',
    'it in database planted, store keys',
    'it in database planted, store values',
    'it in history.state',
    'it in localStorage',
    'it in sessionStorage',
  ]);
  await context.close();
}

test('signing out offline as one athlete, with work to keep, and in as another leaves no trace of the first in any store; access tokens never are in one; the work is sent at the next sign-in of the first [spec 3.access-token.memory]', async ({
  browser,
  server,
}) => {
  await expectScanToFind(browser, server);
  const athlete = await openBusyAthlete(browser, server);
  const { page, context, canaries, email } = athlete;
  const found = await tracesOf(page, canaries);
  for (const name of Object.keys(canaries)) {
    const is_found = found.some((trace) => trace.startsWith(`${name} in `));
    expect([name, is_found]).toEqual([name, !name.startsWith('access token')]);
  }
  await openPool(athlete, server);
  await waitForWorker(page);
  await context.setOffline(true);
  await startSwimming(athlete);
  canaries['kept id'] = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  await signOut(page);
  await page.getByRole('button', { name: 'Keep and sign out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Logout failed, but you have been logged out locally')).toBeVisible();
  // No page can delete the cookie without the server.
  const { 'newest refresh token': _, ...others } = canaries;
  await expectNoTrace(page, others);
  await context.setOffline(false);
  await expectNoTrace(page, canaries);
  const other = await addPerson(server, B);
  await declineWheneverAsked(page);
  await signIn(page, other.email);
  await page.getByRole('link', { name: 'Profile' }).click();
  await expect(page.getByText(other.email)).toBeVisible();
  await expectNoTrace(page, canaries);
  await signOut(page);
  await expect(page.getByText('Waiting on this device: 1 activity.')).toBeVisible();
  await signIn(page, email);
  await expect(page.getByRole('link', { name: 'Profile' })).toBeVisible();
  await page.goto(`/activities/${canaries['kept id']}`);
  await expect(page.getByText(/Saved on the server/)).toBeVisible();
  await context.close();
});
