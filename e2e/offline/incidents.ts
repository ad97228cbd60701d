import { pollUntil } from '../../apps/api/test/delays.ts';
import { fillStorage, isRefused, TOO_MANY_BYTES } from '../browser/room.ts';
import { openApp, watchTab } from '../browser/tab.ts';
import type { Server } from '../server/server.ts';
import { finish, start } from './acts.ts';
import type { Life } from './life.ts';
import { createPerson, type Person, signInByForm } from './person.ts';
import type { Phone } from './phone.ts';
import { isEverythingSent, readPhoneRows } from './phone-rows.ts';

const UPDATE_TIMEOUT_MS = 15_000;
/** Without a good network, the version is found some other day. */
const NO_UPDATE_MS = 1_000;
const SENT_WITHIN_MS = 15_000;
const DAY_MS = 86_400_000;
/** So that the activity lasts for minutes: the athlete enters times without seconds. */
const AWAY_MS = 660_000;
const FILLS = 3;
const UNATTENDED_MS = 3_000;
const SIGN_OUT_TIMEOUT_MS = 30_000;

/** Waits for the first sight of a screen, whichever it is. */
export async function openHome(phone: Phone, server: Server): Promise<void> {
  const page = phone.page();
  await page.goto(`${server.url}/dashboard`, { waitUntil: 'commit' });
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

/**
 * The server has another version of the app, and the phone notices; the athlete takes it if it is offered. Returns
 * whether it was.
 */
export async function updateWorker(phone: Phone): Promise<boolean> {
  phone.publishVersion();
  const page = phone.page();
  // Not awaited: on a network that hangs, it never ends.
  await page.evaluate(async () => void (await navigator.serviceWorker.getRegistration())?.update().catch(() => {}));
  const button = page.getByRole('button', { name: 'Update Now' });
  // It is not offered while an activity runs.
  const timeout = phone.network.state() === 'good' ? UPDATE_TIMEOUT_MS : NO_UPDATE_MS;
  const is_offered = await button.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
  if (!is_offered) return false;
  await Promise.all([page.waitForEvent('load'), button.click()]);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return true;
}

/**
 * Fills the room of the site: up to the last bytes, where only the outbox's own reserve is left; or beyond them, as on a
 * device whose room shrinks, where nothing more can be saved. Throws unless small writes of others are refused then.
 */
export async function fillDevice(phone: Phone, is_beyond: boolean): Promise<void> {
  const page = phone.page();
  if (is_beyond) await page.evaluate(fillStorage, 'foreign' as const);
  for (let tries = 0; tries < FILLS; tries += 1) {
    await page.evaluate(fillUp, TOO_MANY_BYTES);
    if (await page.evaluate(isRefused, TOO_MANY_BYTES)) return;
    // The app has made room: it gives up its own copies first.
  }
  throw new Error('the quota refuses nothing');
}

/**
 * Runs in the page: a database foreign to the app takes all bytes that are left. `too_many_bytes` are refused, and make
 * Chromium ask how many that are.
 */
async function fillUp(too_many_bytes: number): Promise<void> {
  const databases = (await navigator.storageBuckets?.open('copies'))?.indexedDB ?? indexedDB;
  const opening = databases.open('filler');
  opening.onupgradeneeded = () => opening.result.createObjectStore('bytes', { keyPath: 'id' });
  await new Promise((resolve, reject) => {
    opening.onsuccess = resolve;
    opening.onerror = () => reject(opening.error);
  });
  const put = (bytes: number) =>
    new Promise<boolean>((resolve) => {
      const transaction = opening.result.transaction('bytes', 'readwrite');
      const data = new Blob([new Uint8Array(bytes)]);
      transaction.objectStore('bytes').put({ id: crypto.randomUUID(), data });
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () => resolve(false);
    });
  await put(too_many_bytes);
  for (const bytes of [65_536, 2_048]) while (await put(bytes));
  opening.result.close();
}

export async function freeDevice(phone: Phone): Promise<void> {
  await phone.page().evaluate(deleteFiller);
  await phone.setRoom(undefined);
}

/** Runs in the page. */
async function deleteFiller(): Promise<void> {
  const copies = await navigator.storageBuckets?.open('copies');
  const deleting = (copies?.indexedDB ?? indexedDB).deleteDatabase('filler');
  await new Promise((resolve) => {
    deleting.onsuccess = resolve;
    deleting.onerror = resolve;
  });
}

/**
 * The database of the copies is one that no upgrade fits: the next start of the app deletes it and makes a new one.
 * Throws unless the upgrade has failed.
 */
export async function failUpgrade(phone: Phone, server: Server): Promise<void> {
  await phone.leaveApp();
  await phone.page().evaluate(plantUnfitCopies);
  phone.takeWarnings();
  await openHome(phone, server);
  const has_failed = await pollUntil(() => phone.takeWarnings().some((text) => text.startsWith('cache')), {
    patience_ms: SENT_WITHIN_MS,
  });
  if (!has_failed) throw new Error('the upgrade of the copies did not fail');
}

/** Runs in the page: a first version that already has a store of the second. */
async function plantUnfitCopies(): Promise<void> {
  const databases = (await navigator.storageBuckets?.open('copies'))?.indexedDB ?? indexedDB;
  const deleting = databases.deleteDatabase('sendlap-cache');
  await new Promise((resolve, reject) => {
    deleting.onsuccess = resolve;
    deleting.onerror = reject;
  });
  const opening = databases.open('sendlap-cache', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('bio_info');
  await new Promise((resolve, reject) => {
    opening.onsuccess = resolve;
    opening.onerror = reject;
  });
  opening.result.close();
}

/** The browser wakes the worker while no page of the app is open; then the athlete comes back. */
export async function syncWithoutPage(phone: Phone, server: Server): Promise<void> {
  await phone.leaveApp();
  await phone.fireSync();
  await pollUntil(async () => isEverythingSent(await readPhoneRows(phone.page())), { patience_ms: UNATTENDED_MS });
  await openHome(phone, server);
}

/** The clock is set while the phone is off; with a network, the next start notices. */
export async function setClock(phone: Phone, server: Server, days: number): Promise<void> {
  await phone.close();
  phone.setClock(days);
  await phone.network.set('good');
  await phone.start();
  await openApp(watchTab(phone.page()), server.url);
  await phone.page().getByRole('heading', { level: 1 }).first().waitFor();
  await checkClock(phone, server, days);
}

/** As `setClock`, but the athlete goes on before there is a network. */
export async function setClockOffline(phone: Phone, server: Server, days: number): Promise<void> {
  await phone.close();
  phone.setClock(days);
  await server.passTime(AWAY_MS);
  await phone.start();
  await openHome(phone, server);
  await checkClock(phone, server, days);
}

/** Throws unless the pages have that clock. */
async function checkClock(phone: Phone, server: Server, days: number): Promise<void> {
  const ahead_ms = (await phone.page().evaluate(() => Date.now())) - server.now();
  if (Math.round(ahead_ms / DAY_MS) !== days) throw new Error(`the clock is ${ahead_ms} ms ahead`);
}

/**
 * The athlete signs out and leaves work behind, another user trains on the same phone, and the athlete comes back. Returns
 * whether there was work.
 */
export async function lendPhone({ scene, user_ids }: Life, phone: Phone, owner: Person): Promise<boolean> {
  const { server, report } = scene;
  const is_work_left = !isEverythingSent(await readPhoneRows(phone.page()));
  await signOut(phone, server);
  await phone.network.set('good');
  const guest = await createPerson(server, 'Gustav');
  // Judged also if a later screen does not come.
  user_ids.push(guest.user_id);
  await signInByForm(phone.page(), server, guest);
  await start({ phone, person: guest }, scene);
  await finish({ phone, person: guest }, scene);
  const isSent = async () => (await readPhoneRows(phone.page())).ops.length === 0;
  if (!(await pollUntil(isSent, { patience_ms: SENT_WITHIN_MS }))) report.add('stuck', "the guest's work");
  await signOut(phone, server);
  await signInByForm(phone.page(), server, owner);
  // The sign-out has dropped the owner's copies.
  owner.lacks_copies = true;
  // The sign-in opens the sealed work; until then, the screens do not show a running activity.
  const isOpen = async () => (await readPhoneRows(phone.page())).sealed === 0;
  if (!(await pollUntil(isOpen, { patience_ms: SENT_WITHIN_MS }))) report.add('stuck', "the owner's sealed work");
  return is_work_left;
}

/** Keeps the unsent work. */
async function signOut(phone: Phone, server: Server): Promise<void> {
  const page = phone.page();
  await page.goto(`${server.url}/profile`, { waitUntil: 'commit' });
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  const keep = page.getByRole('button', { name: 'Keep and sign out' });
  const signed_out = page.getByRole('button', { name: 'Sign in', exact: true });
  await keep.or(signed_out).first().waitFor({ timeout: SIGN_OUT_TIMEOUT_MS });
  if (await keep.isVisible()) await keep.click();
  await page.waitForURL((url) => url.pathname === '/login', { timeout: SIGN_OUT_TIMEOUT_MS });
}
